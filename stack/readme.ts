import 'reflect-metadata';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Environment } from '../runtime/process/environment';
import { variableDocs } from '../runtime/process/environment-fields';

const START = '<!-- configuration: written by npm run readme -->';
const END = '<!-- /configuration -->';

/** The variables with their defaults, from the class that reads them, so that the table cannot rot. */
export function configurationTable(): string {
  const defaults: Partial<Record<string, unknown>> = { ...new Environment() };
  const rows = variableDocs.map(({ name, group, description }) =>
    row([`\`${name}\``, group, defaultText(defaults[name]), description]),
  );
  const head = [row(['Variable', 'Group', 'Default', 'Meaning']), '| --- | --- | --- | --- |'];
  return [...head, ...rows].join('\n');
}

/** The README with the table as it is now between its two marks. */
export function withConfiguration(readme: string): string {
  const [start, end] = [readme.indexOf(START), readme.indexOf(END)];
  if (start < 0 || end < start) throw new Error(`The README lacks the marks ${START} and ${END}.`);
  const before = readme.slice(0, start + START.length);
  return `${before}\n\n${configurationTable()}\n\n${readme.slice(end)}`;
}

function defaultText(value: unknown): string {
  const text = Array.isArray(value) ? value.map(itemText).join(',') : String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
}

/** Durations are read as text such as 5m, and kept in milliseconds. */
function itemText(item: unknown): string {
  if (typeof item !== 'number') return String(item);
  const seconds = item / 1000;
  if (seconds >= 3600 && seconds % 3600 === 0) return `${seconds / 3600}h`;
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60}m` : `${seconds}s`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

if (require.main === module) {
  const file = path.resolve(__dirname, '../../README.md');
  writeFileSync(file, withConfiguration(readFileSync(file, 'utf8')));
}
