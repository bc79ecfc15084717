import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Release } from '../stack/releases';

/** A line for each history of a release, as `sha256sum` writes and checks them; made with the release. */
export const listName = 'SHA256SUMS';

/** Stores a history of the release that is under way; those of one that is out refuse it. */
export function keepHistory(dir: string, name: string, history: string): void {
  if (existsSync(join(dir, listName))) {
    throw new Error(`${dir} is of a release that is out: raise the version in package.json first`);
  }
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, `${name}.json`), history);
}

/** Where the histories of a release are not those that it came out with. */
export function historyProblems(dir: string, { histories }: Pick<Release, 'histories'>): string[] {
  if (!existsSync(join(dir, listName))) return [`${listName} is missing`];
  const list = readFileSync(join(dir, listName), 'utf8');
  const files = readdirSync(dir).filter((file) => file.endsWith('.json'));
  const lines = linesOf(list);
  const listed = new Set(lines.map(({ file }) => file));
  return [
    ...(hashOf(list) === histories ? [] : [`${listName} was changed`]),
    ...lines.filter(({ file }) => !files.includes(file)).map(({ file }) => `${file} is missing`),
    ...lines
      .filter(({ file }) => files.includes(file))
      .filter(({ file, hash }) => hashOf(readFileSync(join(dir, file))) !== hash)
      .map(({ file }) => `${file} was changed`),
    ...files.filter((file) => !listed.has(file)).map((file) => `${file} is not listed`),
  ];
}

function linesOf(list: string): { hash: string; file: string }[] {
  const lines = list.trimEnd().split('\n');
  return lines.map((line) => {
    const [hash = '', file = ''] = line.split('  ');
    return { hash, file };
  });
}

export function hashOf(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
