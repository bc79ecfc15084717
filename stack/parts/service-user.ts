import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ProcessOwner } from './process';

/** Postgres refuses to run as root: then it runs as this user, who is made when missing. */
export function serverUser(): ProcessOwner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const found = findUser('postgres') ?? createUser() ?? findUser('nobody');
  if (!found) {
    throw new Error('Postgres cannot run as root here: add a user named postgres, then try again.');
  }
  return found;
}

/** Whether that user gets into a folder: modes and access lists of all its parents count. */
export function canReach(owner: ProcessOwner, folder: string): boolean {
  const probe = spawnSync('/bin/sh', ['-c', 'cd "$1" && test -r .', 'sh', folder], {
    ...owner,
    cwd: '/',
    stdio: 'ignore',
  });
  return probe.status === 0;
}

function createUser(): ProcessOwner | undefined {
  const attempts: [string, string[]][] = [
    ['useradd', ['--system', '--no-create-home', '--shell', '/bin/sh', 'postgres']],
    ['adduser', ['-S', '-D', '-H', 'postgres']],
  ];
  for (const [command, args] of attempts) {
    if (spawnSync(command, args, { stdio: 'ignore' }).status === 0) return findUser('postgres');
  }
  return undefined;
}

function findUser(name: string): ProcessOwner | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (!line) return undefined;
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
