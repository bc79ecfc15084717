import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A line for each stored history, as `sha256sum` writes and checks them. Lines are only added. */
export const listName = 'SHA256SUMS';

/** Stores a history under a new name and lists it. A name that is taken keeps what it has. */
export function keepHistory(dir: string, name: string, history: string): 'kept' | 'taken' {
  mkdirSync(dir, { recursive: true });
  const file = `${name}.json`;
  try {
    writeFileSync(join(dir, file), history, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return 'taken';
  }
  appendFileSync(join(dir, listName), `${hashOf(history)}  ${file}\n`);
  return 'kept';
}

/** Where the stored histories are not those that the list names. */
export function historyProblems(dir: string): string[] {
  const files = readdirSync(dir).filter((file) => file.endsWith('.json'));
  const lines = linesOf(dir);
  const listed = new Set(lines.map(({ file }) => file));
  const twice = lines.filter(
    ({ file }, at) => lines.findIndex((line) => line.file === file) !== at,
  );
  return [
    ...lines.filter(({ file }) => !files.includes(file)).map(({ file }) => `${file} is missing`),
    ...lines
      .filter(({ file }) => files.includes(file))
      .filter(({ file, hash }) => hashOf(readFileSync(join(dir, file))) !== hash)
      .map(({ file }) => `${file} was changed`),
    ...files.filter((file) => !listed.has(file)).map((file) => `${file} is not listed`),
    ...twice.map(({ file }) => `${file} is listed twice`),
  ];
}

function linesOf(dir: string): { hash: string; file: string }[] {
  const lines = readFileSync(join(dir, listName), 'utf8').trimEnd().split('\n');
  return lines.map((line) => {
    const [hash = '', file = ''] = line.split('  ');
    return { hash, file };
  });
}

function hashOf(history: string | Buffer): string {
  return createHash('sha256').update(history).digest('hex');
}
