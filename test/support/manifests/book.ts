import { readFileSync } from 'node:fs';
import path from 'node:path';

const page = readFileSync(path.join(__dirname, '../../../docs/deploying.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

function blockWith(words: string): string {
  const [block, ...others] = blocks.filter((one) => one.includes(words));
  if (block === undefined || others.length > 0) throw new Error(`not one block says ${words}`);
  return block;
}

/** The roles, in the order of the book's loop. */
function rolesOf(block: string): string[] {
  const [, names = ''] = /^for role in (.+); do$/m.exec(block) ?? [];
  return names.split(' ');
}

const [forward, back] = blocks.filter((block) => block.includes('for role in'));

/** What docs/deploying.md has an operator type, for Kubernetes. */
export const book = {
  /** Splits what `aps secrets` prints into the files of two secrets; `aps` as the caller has it. */
  secretsWith: (aps: string): string =>
    blockWith('aps secrets').replace('docker run --rm IMAGE aps', aps),
  /** The name of a file and of the secret that is made from it. */
  secretFiles: [
    ...blockWith('create secret').matchAll(/generic ([\w-]+) --from-env-file=([\w.-]+)/g),
  ].map(([, secret = '', file = '']) => ({ secret, file })),
  forward: rolesOf(forward ?? ''),
  back: rolesOf(back ?? ''),
  /** Roles that are left out where all that is no role is applied. */
  notRoles: [...page.matchAll(/-l 'role notin \(([^)]+)\)'/g)].map(([, names = '']) =>
    names.split(', '),
  ),
};
