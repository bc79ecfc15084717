/** A moment: the next transaction's number, and the rows of each table. */
export interface Mark {
  next: string;
  rows: Readonly<Record<string, number>>;
}

/** What was done since a mark: for each table the rows more or less, and what changed ones now say. */
export type Effect = Record<string, { more: number; now: string[] }>;

export interface Runs {
  <T>(statement: string, params?: unknown[]): Promise<T[]>;
}

export interface Effects {
  mark(): Promise<Mark>;
  since(mark: Mark): Promise<Effect>;
}

/** Keys of requests, what is made once for many, and what is tallied beside clicks, half a second later. */
const apart = ['idempotency_keys', 'notification_feeds', 'tracking_states', 'click_origins'];
/** They count what requests have in common. */
const volatile = new Set(['notifications.seq', 'clicks.recorded_in']);
/** Texts of which there are few. */
const listed = new Set(['type', 'action', 'topic', 'mode', 'trigger', 'from_status', 'to_status']);
/**
 * Rows whose contents count. That one was used is noted now and then, by whichever request; a reset
 * goes on in its workflow.
 */
const counting: Readonly<Record<string, string>> = {
  test_data_resets: 'false',
  api_keys: 'last_used_at IS NULL OR revoked_at IS NOT NULL',
  sessions: 'last_used_at = created_at OR revoked_at IS NOT NULL',
};

interface Column {
  table: string;
  name: string;
  type: string;
  isListed: boolean;
  isCounted: boolean;
}

/** Looks at the rows of all tables: also one that was only updated shows, by its transaction. */
export async function openEffects(run: Runs): Promise<Effects> {
  const statement = statementOf(await run<Column>(columnsStatement));
  interface Row {
    name: string;
    rows: number;
    next: string;
    now: string[] | null;
  }
  const look = (since: string): Promise<Row[]> => run<Row>(statement, [since]);
  const countOf = ({ rows }: Mark, name: string): number => rows[name] ?? 0;
  return {
    async mark() {
      const [at] = await run<{ next: string }>(
        'SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint % 4294967296)::text AS next',
      );
      const next = at?.next ?? '';
      const found = await look(next);
      return { next, rows: Object.fromEntries(found.map(({ name, rows }) => [name, rows])) };
    },
    async since(mark) {
      const found = (await look(mark.next)).map(({ name, rows, now }) => {
        return [name, { more: rows - countOf(mark, name), now: now ?? [] }] as const;
      });
      return Object.fromEntries(found.filter(([, { more, now }]) => more !== 0 || now.length > 0));
    },
  };
}

const columnsStatement = `
  SELECT c.relname AS table, a.attname AS name, t.typname AS type,
         EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
                    AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) LIKE '%ARRAY[%') AS "isListed",
         a.attidentity <> '' OR coalesce(pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval%', false) AS "isCounted"
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
   WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND c.relnamespace = 'public'::regnamespace
     AND c.relname NOT IN (${apart.map((name) => `'${name}'`).join(', ')})
   ORDER BY c.relname, a.attnum`;

function statementOf(columns: readonly Column[]): string {
  const tables = new Set(columns.map(({ table }) => table));
  return [...tables]
    .map((table) => {
      const its = columns.filter((column) => column.table === table);
      const shown = its.map((column) => `'${column.name} ' || ${shownAs(column)}`).join(', ');
      const row = `concat_ws(', ', ${shown})`;
      return `SELECT '${table}' AS name, count(*)::int AS rows,
        array_agg(${row} ORDER BY ${row}) FILTER (
          WHERE age(xmin) <= age($1::xid) AND (${counting[table] ?? 'true'})) AS now
        FROM ${table}`;
    })
    .join(' UNION ALL ');
}

/** Ids, times, secrets and free texts differ between two runs of one request: only whether they are there. */
function shownAs({ table, name, type, isListed, isCounted }: Column): string {
  const isThere = `(${name} IS NOT NULL)::text`;
  if (isCounted || volatile.has(`${table}.${name}`)) return isThere;
  if (type.startsWith('_')) return `cardinality(${name})::text`;
  if (/^(bool|int[248]|numeric)$/.test(type)) return `${name}::text`;
  return type === 'text' && (isListed || listed.has(name)) ? name : isThere;
}
