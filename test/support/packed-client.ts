import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { runFolder } from './run/run-folder';

const root = path.join(__dirname, '../..');

export interface PackedClient {
  /** An empty project that the packed package was installed into. */
  project: string;
  tarball: string;
}

/** What `npm pack` makes, installed: by the first suite of a run that asks. */
export function packedClient(): PackedClient {
  const shared = path.join(runFolder(), 'packed-client');
  if (!existsSync(shared)) {
    const fresh = mkdtempSync(path.join(runFolder(), 'packing-'));
    pack(fresh);
    // Another suite may have done the same at the same time: one of them is as good as the other.
    try {
      renameSync(fresh, shared);
    } catch (error) {
      if (!existsSync(shared)) throw error;
    }
  }
  return { project: path.join(shared, 'project'), tarball: path.join(shared, 'client.tgz') };
}

/** Packs a copy: `prepack` builds into the package's folder, where another suite may build too. */
function pack(folder: string): void {
  const copy = path.join(folder, 'package');
  const isSource = (name: string): boolean => !/(^|\/)(node_modules|dist)$/.test(name);
  cpSync(path.join(root, 'packages/client'), copy, { recursive: true, filter: isSource });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  const [{ filename } = { filename: '' }] = JSON.parse(
    npm(['pack', '--json', '--pack-destination', folder], copy),
  ) as { filename: string }[];
  renameSync(path.join(folder, filename), path.join(folder, 'client.tgz'));
  const project = path.join(folder, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'package.json'), '{"private":true}');
  npm(['install', '../client.tgz', '--offline'], project);
}

/** Runs npm with a cache of its own, so that what this machine has proves nothing. */
export function npm(args: string[], cwd: string): string {
  return execFileSync('npm', [...args, '--loglevel=error', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: path.join(runFolder(), 'npm-cache') },
  });
}
