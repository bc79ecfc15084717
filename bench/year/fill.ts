import { deleteRules, partitionRules } from '../../entities/rules/retention/retention';
import { execute, query, transaction, type Db } from '../../entities/database/sql';

/** Rows a day at a thousandth of 10,000 merchants' load. */
const rowsPerDay: Readonly<Record<string, number>> = {
  clicks: 10_000,
  events: 1_000,
  webhook_attempts: 2_000,
  audit_log: 300,
  attribution_decisions: 300,
  idempotency_keys: 300,
  stripe_events: 300,
  webhook_deliveries: 2_000,
  webhook_endpoints: 1,
  refresh_tokens: 1_000,
  sessions: 50,
  notifications: 300,
};
const otherRowsPerDay = 50;

/** Values that a column's type alone does not give; `at` is the row's time, `n` its number. */
const values: Readonly<Record<string, string>> = {
  'webhook_deliveries.status': `'succeeded'`,
  'stripe_events.status': `'processed'`,
  'mails.status': `'sent'`,
  'stripe_events.touched_at': 'at',
  'clicks.mode': `'test'`,
  'clicks.workspace_id': 'few(0, n)',
  'clicks.program_id': 'few(1, n)',
  'clicks.participant_id': 'few(2, n)',
  'clicks.link_id': 'few(3, n)',
  'sessions.expires_at': `at + interval '30 days'`,
  'sessions.revoked_at': 'NULL',
  'refresh_tokens.expires_at': `at + interval '30 days'`,
  'webhook_endpoints.active_since': 'NULL',
};

const valuesByType: Readonly<Record<string, string>> = {
  uuid: 'id_at(at)',
  timestamptz: 'at',
  date: 'at::date',
  text: 'md5(random()::text)',
  bool: 'false',
  json: `'{}'`,
  jsonb: `'{}'`,
  _text: `'{}'`,
  _uuid: `'{}'`,
};

interface Column {
  name: string;
  type: string;
  needed: boolean;
  /** The first of the texts that a check allows. */
  allowed: string | null;
}

export const filledTables: readonly string[] = [
  ...new Set([...partitionRules, ...deleteRules].map(({ table }) => table)),
];

export async function prepareFill(db: Db): Promise<void> {
  await execute(
    db,
    `CREATE FUNCTION id_at(moment timestamptz) RETURNS uuid LANGUAGE sql AS $$
       SELECT (left(first_id_at(moment)::text, 13) || '-7' || substr(md5(random()::text), 1, 3)
               || '-8' || substr(md5(random()::text), 1, 3) || '-' || substr(md5(random()::text), 1, 12))::uuid
     $$`,
  );
  await execute(
    db,
    `CREATE FUNCTION few(kind int, n int) RETURNS uuid LANGUAGE sql AS $$
       SELECT ('00000000-0000-7000-8000-00000000' || lpad(to_hex(kind), 2, '0') || lpad(to_hex(n % 50), 2, '0'))::uuid $$`,
  );
}

/** One day's rows of a table, spread over the day. */
export async function fillDay(db: Db, table: string, day: Date): Promise<void> {
  const columns = await columnsOf(db, table);
  const times = new Set(
    deleteRules.filter((rule) => rule.table === table).map(({ since }) => since),
  );
  const given = columns.flatMap(({ name, type, needed, allowed }) => {
    const own = values[`${table}.${name}`];
    if (own) return [{ name, value: own }];
    if (!needed && !times.has(name)) return [];
    return [{ name, value: allowed ?? valuesByType[type] ?? 'n' }];
  });
  await transaction(db, async (tx) => {
    // What a row refers to is of no interest here.
    await execute(tx, 'SET LOCAL session_replication_role = replica');
    await execute(
      tx,
      `INSERT INTO ${table} (${given.map(({ name }) => name).join(', ')})
     SELECT ${given.map(({ value }) => value).join(', ')}
       FROM (SELECT n::int AS n, $1::timestamptz + n * interval '1 day' / $2::float8 AS at
               FROM generate_series(0, $2::int - 1) AS n) AS rows`,
      [day, rowsPerDay[table] ?? otherRowsPerDay],
    );
  });
}

const known = new Map<string, Column[]>();

async function columnsOf(db: Db, table: string): Promise<Column[]> {
  const found =
    known.get(table) ??
    (await query<Column>(
      db,
      `SELECT column_name AS name, udt_name AS type,
              is_nullable = 'NO' AND column_default IS NULL AS needed,
              (SELECT substring(pg_get_constraintdef(k.oid) FROM $$ARRAY\\[('[^']*')$$)
                 FROM pg_constraint k JOIN pg_attribute a
                   ON a.attrelid = k.conrelid AND k.conkey = ARRAY[a.attnum]
                WHERE k.contype = 'c' AND k.conrelid = table_name::regclass
                  AND a.attname = column_name LIMIT 1) AS allowed
         FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'
          AND is_identity = 'NO'`,
      [table],
    ));
  known.set(table, found);
  return found;
}
