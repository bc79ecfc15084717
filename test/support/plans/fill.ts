import type { Client } from 'pg';

/** Tables of which a workspace has some rows, however long it is there. */
const few = new Set([
  ...[
    'api_keys',
    'member_invites',
    'merchant_accounts',
    'payouts',
    'programs',
    'stripe_connections',
  ],
  ...['two_factors', 'webhook_endpoints'],
]);
const fewRows = 100;
/** What copies share with their source, though a table may want it once. */
const shared: readonly string[] = ['mode', 'kind', 'topic', 'biller', 'provider'];
/**
 * Half of the copies are other workspaces', or the planner would take one for all there is; those of the
 * world are many partners'.
 */
const spread: Readonly<Record<string, string>> = {
  workspace_id: otherId(50),
  program_id: otherId(100),
};

function otherId(ids: number): string {
  return `('00000000-0000-7000-8000-' || lpad(to_hex(g.nth % ${ids}), 12, '0'))::uuid`;
}

interface Column {
  name: string;
  type: string;
  isUnique: boolean;
}

/**
 * Makes `rows` copies of what a world has in each table, over the last sixty days: with ids in
 * order, and with values of their own where a table wants each once. Statistics stay those of the
 * world alone until somebody asks for new ones, as when a merchant moves in. Gives the tables that
 * were filled.
 */
export async function fillAll(owner: Client, rows: number): Promise<string[]> {
  const filled: string[] = [];
  await owner.query('SET session_replication_role = replica');
  // Participants are copied before the rows that name them.
  const tables = [
    'participants',
    ...(await tablesOf(owner)).filter((name) => name !== 'participants'),
  ];
  for (const table of tables) {
    const { rowCount } = await owner.query(
      await copyStatement(owner, table, few.has(table) ? fewRows : rows),
    );
    if ((rowCount ?? 0) > 0) filled.push(table);
  }
  await owner.query('SET session_replication_role = origin');
  return filled;
}

export async function keepStatistics(owner: Client): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`,
  );
  for (const { name } of rows) {
    await owner.query(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
  }
  await owner.query('ANALYZE');
}

async function tablesOf(owner: Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        -- Those of one row say so.
        AND NOT EXISTS (SELECT FROM pg_constraint k
                         WHERE k.conrelid = pg_class.oid AND k.conname LIKE 'ck\\_%\\_one')
      ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

async function copyStatement(owner: Client, table: string, rows: number): Promise<string> {
  const { rows: columns } = await owner.query<Column>(
    `SELECT a.attname AS name, t.typname AS type,
            EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique
                     AND a.attnum = ANY (i.indkey)) AS "isUnique"
       FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped
        AND a.attgenerated = '' AND a.attidentity = ''`,
    [table],
  );
  const values = columns.map((column) => `${valueOf(column)} AS ${column.name}`);
  const names = columns.map(({ name }) => name).join(', ');
  return `INSERT INTO ${table} (${names})
    SELECT ${names} FROM (
      SELECT ${values.join(', ')}
        FROM (SELECT source.*, row_number() OVER () AS fill_place, count(*) OVER () AS fill_sources FROM ${table} AS source) AS s
        JOIN generate_series(1, ${rows}) AS g (nth) ON g.nth % s.fill_sources = s.fill_place - 1
       CROSS JOIN LATERAL (SELECT (${rows} - g.nth) * interval '60 days' / ${rows} AS ago,
                                  g.nth / s.fill_sources % 2 = 0 AS own) AS shift
       CROSS JOIN (SELECT array_agg(id) AS ids FROM (SELECT id FROM participants ORDER BY id DESC LIMIT 1000) AS newest) AS partners
       ORDER BY g.nth) AS copies
    ON CONFLICT DO NOTHING`;
}

function valueOf({ name, type, isUnique }: Column): string {
  if (name === 'id' && type === 'uuid') return 'uuidv7(- ago)';
  if (type === 'timestamptz') return `s.${name} - ago`;
  const other = spread[name];
  if (other) return `CASE WHEN own OR s.${name} IS NULL THEN s.${name} ELSE ${other} END`;
  if (!isUnique && name === 'participant_id') {
    return `coalesce(ids[1 + g.nth / 7 % 1000], s.${name})`;
  }
  if (!isUnique || shared.includes(name)) return `s.${name}`;
  const own: Record<string, string> = {
    uuid: 'gen_random_uuid()',
    text: `s.${name} || g.nth`,
    varchar: `s.${name} || g.nth`,
    int2: `s.${name}`,
    int4: `s.${name} + g.nth::int`,
    int8: `s.${name} + g.nth`,
    date: `(s.${name} - ago)::date`,
  };
  return own[type] ?? `s.${name}`;
}
