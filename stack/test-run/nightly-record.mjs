import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, run } from '../bootstrap/run.mjs';

/** When each part of the night was last green; committed with the work. */
const FILE = path.join(ROOT, 'test', 'nightly.json');
/** The commits after which a proof is old. */
export const FRESH_COMMITS = 150;

/** `{ part: { commit, date } }` */
export function storedRecords(file = FILE) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

/** Writes that a part was green at the present commit, a line a part, so that two runs merge. */
export async function recordGreen(part, { file = FILE, now = new Date() } = {}) {
  const [commit] = await run('git', ['rev-parse', '--short=12', 'HEAD']);
  const date = now.toISOString().slice(0, 10);
  const records = { ...storedRecords(file), [part]: { commit, date } };
  const lines = Object.entries(records)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, record]) => `  ${JSON.stringify(name)}: ${JSON.stringify(record)}`);
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

/** How many commits came since; undefined where the checkout does not reach back so far. */
export async function commitsSince(commit) {
  const [count] = await run('git', ['rev-list', '--count', `${commit}..HEAD`]).catch(() => []);
  return count === undefined ? undefined : Number(count);
}

/** How old each proof is, and which are too old: lines to print. A warning, never a failure. */
export async function freshness(names, records = storedRecords(), since = commitsSince) {
  const rows = await Promise.all(
    names.map(async (name) => {
      const record = records[name];
      return { name, ...record, age: record && (await since(record.commit)) };
    }),
  );
  const line = ({ name, date = 'never', commit = '', age = '?' }) =>
    [name.padEnd(20), date.padEnd(12), commit.padEnd(14), commit && `${age} commits ago`]
      .join('')
      .trimEnd();
  const old = rows.filter(({ age }) => age === undefined || age > FRESH_COMMITS);
  return [
    'Parts of the night, last green:',
    ...rows.map((row) => `  ${line(row)}`),
    ...(old.length > 0
      ? [`Warning: older than ${FRESH_COMMITS} commits: ${old.map(({ name }) => name).join(', ')}`]
      : []),
  ];
}
