import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { query, queryOne, type Db } from '../../entities/database/sql';
import { newId } from '../../entities/ids';

const run = promisify(execFile);

interface Source {
  table: string;
  /** Finds the rows of one conversion, $1. */
  where: string;
  /** What differs from one conversion to the next, as variables of pgbench. */
  fresh: Record<string, string>;
}

const variables = [':conv', ':comm'];
const commissionOf = '(SELECT id FROM commissions WHERE conversion_id = $1)';

const sources: Source[] = [
  {
    table: 'conversion_aliases',
    where: 'conversion_id = $1',
    fresh: { alias: ':conv', conversion_id: ':conv' },
  },
  {
    table: 'conversions',
    where: 'id = $1',
    fresh: { id: ':conv', external_transaction_id: ':conv' },
  },
  {
    table: 'attribution_decisions',
    where: 'conversion_id = $1',
    fresh: { conversion_id: ':conv' },
  },
  {
    table: 'events',
    where: `object_id = $1 OR object_id = ${commissionOf}`,
    fresh: { id: 'uuidv7()', object_id: ':conv' },
  },
  // The only ones so far.
  { table: 'outbox', where: '$1::uuid IS NOT NULL', fresh: {} },
  {
    table: 'commissions',
    where: 'conversion_id = $1',
    fresh: { id: ':comm', conversion_id: ':conv', external_transaction_id: ':conv' },
  },
  {
    table: 'commission_history',
    where: `commission_id = ${commissionOf}`,
    fresh: { id: 'uuidv7()', commission_id: ':comm' },
  },
  {
    table: 'ledger_entries',
    where: `commission_id = ${commissionOf}`,
    fresh: { id: 'uuidv7()', commission_id: ':comm' },
  },
];

/** Inserts of all rows of a conversion, one statement a table, with `:conv` and `:comm` as new ids. */
export async function statementsOf(db: Db, conversionId: string): Promise<string[]> {
  const statements: string[] = [];
  for (const source of sources) statements.push(await statementOf(db, source, conversionId));
  return statements;
}

async function statementOf(
  db: Db,
  { table, where, fresh }: Source,
  conversionId: string,
): Promise<string> {
  const columns = await query<{ name: string }>(
    db,
    `SELECT column_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO'
        AND is_generated = 'NEVER'`,
    [table],
  );
  const values = columns.map(({ name }) => `quote_nullable(t.${name}::text) AS ${name}`);
  const rows = await query<Record<string, string>>(
    db,
    `SELECT ${values.join(', ')} FROM ${table} t WHERE ${where}`,
    [conversionId],
  );
  if (rows.length === 0) throw new Error(`a conversion without rows in ${table}`);
  const tuples = rows.map(
    (row) =>
      `(${columns.map(({ name }) => fresh[name] ?? withoutVariables(row[name] ?? 'NULL')).join(', ')})`,
  );
  const names = columns.map(({ name }) => name).join(', ');
  return `INSERT INTO ${table} (${names}) VALUES ${tuples.join(', ')}`.replaceAll('\n', ' ');
}

/** pgbench takes what follows a colon for a variable, in quotes too. */
function withoutVariables(literal: string): string {
  if (!literal.includes(':')) return literal;
  const escaped = literal.trimStart().startsWith('E')
    ? literal.trimStart()
    : `E${literal.replaceAll('\\', '\\\\')}`;
  return escaped.replaceAll(':', '\\x3a');
}

export interface SameResult {
  by: string;
  requests: number;
  rps: number;
}

interface Runs {
  url: string;
  statements: readonly string[];
  connections: number;
  seconds: number;
}

/** The same rows by pgbench, each conversion a transaction; by the driver where there is none. */
export async function runSame(runs: Runs, db: Db): Promise<SameResult> {
  const before = await countConversions(db);
  const { by, rps } = await byPgbench(runs).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return byDriver(runs);
  });
  return { by, rps, requests: (await countConversions(db)) - before };
}

async function countConversions(db: Db): Promise<number> {
  const row = await queryOne<{ count: number }>(db, 'SELECT count(*) AS count FROM conversions');
  return row?.count ?? 0;
}

type Rate = Pick<SameResult, 'by' | 'rps'>;

async function byPgbench({ url, statements, connections, seconds }: Runs): Promise<Rate> {
  const dir = mkdtempSync(path.join(tmpdir(), 'bench-script-'));
  const script = path.join(dir, 'conversion.sql');
  const lines = [
    'SELECT uuidv7() AS conv, uuidv7() AS comm \\gset',
    'BEGIN;',
    ...statements.map((statement) => `${statement};`),
    'END;',
  ];
  writeFileSync(script, `${lines.join('\n')}\n`);
  const threads = String(Math.min(2, connections));
  const flags = ['-n', '-M', 'prepared', '-f', script, '-T', String(seconds), '-j', threads];
  try {
    const { stdout } = await run('pgbench', [...flags, '-c', String(connections), url]);
    // The rate is without the time that its connections took.
    return { by: 'pgbench', rps: Math.round(Number(/tps = ([\d.]+)/.exec(stdout)?.[1])) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function byDriver({ url, statements, connections, seconds }: Runs): Promise<Rate> {
  const endsAt = performance.now() + seconds * 1_000;
  const prepared = statements.map((statement, index) => {
    const used = variables.filter((variable) => statement.includes(variable));
    const text = used.reduce(
      (numbered, variable, place) => numbered.replaceAll(variable, `$${place + 1}`),
      statement,
    );
    return { used, text, name: `same_${index}` };
  });
  let done = 0;
  const work = async (): Promise<void> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    while (performance.now() < endsAt) {
      const ids = variables.map(() => newId());
      await client.query('BEGIN');
      for (const { name, text, used } of prepared) {
        const values = used.map((variable) => ids[variables.indexOf(variable)]);
        await client.query({ name, text, values });
      }
      await client.query('COMMIT');
      done += 1;
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: connections }, work));
  return { by: 'driver', rps: Math.round(done / seconds) };
}
