import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Environment } from '../runtime/config/environment';
import { variableDocs } from '../runtime/config/environment-fields';

const head = `# Settings

Every variable has a default that works on the local stack. A bad value stops the process at start with one sentence. \`aps config\` reads
the environment as every process does, and prints what it comes to, without secrets.

<!-- Written by npm run configuration from the class that reads the variables; edit that. -->`;

/** docs/configuration.md: the variables by group with their defaults, from the class that reads them, so that it cannot rot. */
export function configurationPage(): string {
  const groups = [...new Set(variableDocs.map(({ group }) => group))];
  return `${[head, ...groups.map(section)].join('\n\n')}\n`;
}

function section(name: string): string {
  const defaults: Partial<Record<string, unknown>> = { ...new Environment() };
  const rows = variableDocs
    .filter(({ group }) => group === name)
    .map((variable) =>
      row([
        `\`${variable.name}\``,
        defaultText(
          durations.has(variable.name) ? [defaults[variable.name]] : defaults[variable.name],
        ),
        variable.description,
      ]),
    );
  return [`## ${name}`, '', row(['variable', 'default', 'meaning']), '| --- | --- | --- |']
    .concat(rows)
    .join('\n');
}

/** Single ones, read as text too. */
const durations = new Set(['PAYOUT_GIVE_UP']);

function defaultText(value: unknown): string {
  const text = Array.isArray(value) ? inRuns(value.map(itemText)) : String(value ?? '');
  return text === '' ? '' : `\`${text}\``;
}

/** A text that follows itself many times is written once: `1h (71 times)`. */
function inRuns(texts: readonly string[]): string {
  const runs: { text: string; count: number }[] = [];
  for (const text of texts) {
    const last = runs.at(-1);
    if (last?.text === text) last.count += 1;
    else runs.push({ text, count: 1 });
  }
  return runs
    .flatMap(({ text, count }) =>
      count > 9 ? [`${text} (${count} times)`] : Array.from({ length: count }, () => text),
    )
    .join(',');
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
  writeFileSync(path.resolve(__dirname, '../../docs/configuration.md'), configurationPage());
}
