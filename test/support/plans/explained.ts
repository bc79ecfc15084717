import type { Client } from 'pg';
import { query } from '../../../entities/database/sql';
import type { TestDeps } from '../app';
import { connectAsOwner } from '../database';
import type { Known } from './known';

/** A node of a plan as EXPLAIN (ANALYZE, FORMAT JSON) tells it. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

export interface Statements {
  /** The statements since it was last called. */
  take: () => Explained[];
}

export interface Explained {
  text: string;
  plan: PlanNode;
}

/**
 * Has Postgres itself explain each statement that these deps send from now on (auto_explain), with
 * the values that it was sent with. Sequential scans are no way out: a table of a test is small
 * enough that the planner would take one.
 */
export async function explainAll({ db, config }: TestDeps): Promise<Statements> {
  let explained: Explained[] = [];
  db.pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const [, json] = /^duration: .*? plan:\n([^]*)$/.exec(message) ?? [];
      if (json === undefined) return;
      const told = JSON.parse(json) as { 'Query Text': string; Plan: PlanNode };
      explained.push({ text: told['Query Text'], plan: told.Plan });
    });
  });
  const owner = await connectAsOwner(config.databaseUrl);
  await inEachSession(owner, {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
    enable_seqscan: 'off',
  });
  await owner.end();
  await allMet(db);
  return {
    take() {
      const taken = explained;
      explained = [];
      return taken;
    },
  };
}

/** Sets these in each session: open ones end, and the pool opens others. */
async function inEachSession(owner: Client, settings: Record<string, string>): Promise<void> {
  const { rows } = await owner.query<{ name: string }>('SELECT current_database() AS name');
  for (const [name, value] of Object.entries(settings)) {
    await owner.query(`ALTER DATABASE ${rows[0]?.name} SET ${name} = '${value}'`);
  }
  await owner.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename IS NOT NULL`,
  );
}

/** Each session of before is met by a statement, so that its end is told to none of the works. */
async function allMet({ manager, pool }: TestDeps['db']): Promise<void> {
  const looks = Array.from({ length: pool.options.max }, () => query(manager, 'SELECT 1'));
  await Promise.allSettled(looks);
}

/** Less than this is no work: in all, and each time that a node runs. */
const fewRows = 1_000;
const fewEachTime = 100;
const mostTimes = 10;

/** Where a statement reads much of a table to give little of it: lines to print. */
export function wasteOf({ text: sent, plan }: Explained, accepted: readonly Known[]): string[] {
  const text = sent.replace(/\s+/g, ' ').trim();
  if (accepted.some(({ part }) => text.includes(part))) return [];
  const found: string[] = [];
  visit(plan, (node) => {
    // What these read is seen where it is read from a table.
    if (['CTE Scan', 'Subquery Scan', 'WorkTable Scan'].includes(node['Node Type'])) return;
    const removed =
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0);
    if (isWaste(removed, node['Actual Rows'], node)) {
      found.push(`${nameOf(node)} removes ${removed} for ${node['Actual Rows']}`);
    }
    const sorted = node['Node Type'] === 'Limit' ? sortedBelow(node) : undefined;
    if (sorted && isWaste(sorted['Actual Rows'], node['Actual Rows'], node)) {
      found.push(`sorts ${sorted['Actual Rows']} for ${node['Actual Rows']}`);
    }
  });
  return found.map((what) => `${what}: ${text.slice(0, 200)}`);
}

const isWaste = (read: number, given: number, { 'Actual Loops': loops }: PlanNode): boolean =>
  read * loops > fewRows && read > fewEachTime && read > mostTimes * given;

/** What is sorted whole before the first row of it is given. */
function sortedBelow({ Plans: [below] = [] }: PlanNode): PlanNode | undefined {
  if (!below || below['Node Type'] !== 'Sort') return undefined;
  return below.Plans?.[0];
}

const nameOf = (node: PlanNode): string =>
  [node['Node Type'], node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ');

function visit(node: PlanNode, look: (node: PlanNode) => void): void {
  look(node);
  for (const below of node.Plans ?? []) visit(below, look);
}
