import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(__dirname, '../../docs/decisions');
const records = readdirSync(folder).map((file) => ({
  number: file.slice(0, 4),
  lines: readFileSync(path.join(folder, file), 'utf8').split('\n'),
}));
const numbers = records.map(({ number }) => number);
const statusOf = (lines: string[]): string =>
  lines.slice(1, 6).find((line) => line.startsWith('Status: ')) ?? '';

it('have a number each', () => {
  expect(new Set(numbers).size).toBe(records.length);
});

it.each(records)('$number has its number in its title, and a status', ({ number, lines }) => {
  expect(lines[0]).toMatch(new RegExp(`^# ${number}: \\S`));
  expect(statusOf(lines)).toMatch(/^Status: (accepted\b|(in part )?superseded by \d{4})/);
});

it('name as their successors records that are there', () => {
  const named = records.flatMap(({ lines }) => statusOf(lines).match(/\b\d{4}\b/g) ?? []);
  expect(named.filter((number) => !numbers.includes(number))).toEqual([]);
  expect(named.length).toBeGreaterThan(8);
});
