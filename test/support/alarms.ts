import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { parse } from 'yaml';

const root = path.join(__dirname, '../..');
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

export interface Alarm {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; runbook: string };
}

export function alarms(): Alarm[] {
  const file = parse(read('operate/alarms.yml')) as { groups: { rules: Alarm[] }[] };
  return file.groups.flatMap(({ rules }) => rules);
}

export interface Panel {
  title: string;
  targets: { expr: string }[];
}

export const panels = (): Panel[] =>
  (JSON.parse(read('operate/dashboard.json')) as { panels: Panel[] }).panels;

/** The metrics that an expression names. Throws for one that does not parse. */
export function metricsOf(expr: string): string[] {
  const names = new Set<string>();
  parser.parse(expr).iterate({
    enter({ name, type, from, to, node }) {
      if (type.isError) throw new Error(`does not parse at ${from}: ${expr}`);
      if (name === 'Identifier' && node.parent?.name === 'VectorSelector') {
        names.add(expr.slice(from, to));
      }
    },
  });
  return [...names];
}

/** Every metric of alarms and dashboard. */
export const namedMetrics = (): string[] => [
  ...new Set(
    [...alarms(), ...panels().flatMap(({ targets }) => targets)].flatMap(({ expr }) =>
      metricsOf(expr),
    ),
  ),
];
