import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StaticFile } from '../http/server/static-file';

/** Where a build has packed the clients; a checkout shows what it built last. */
const folders = [join(__dirname, '../clients'), join(__dirname, '../../dist/api/clients')];

const types: Readonly<Record<string, string>> = {
  tgz: 'application/gzip',
  whl: 'application/zip',
};

/** The packed clients of this very service by file name, for `npm install` and `pip install`. */
export function packedClients(): [name: string, build: () => StaticFile][] {
  const folder = folders.find((path) => existsSync(path));
  if (folder === undefined) return [];
  const names = readdirSync(folder).filter((name) => extensionOf(name) in types);
  return names.map((name) => [
    name,
    () => ({
      type: types[extensionOf(name)] ?? '',
      body: readFileSync(join(folder, name)),
      cacheControl: 'public, max-age=60',
      isPacked: true,
    }),
  ]);
}

const extensionOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
