import { execute, query, queryOne, rowsAtOnce, type Tx } from '../../entities/database/sql';
import { isAppendOnly, isDeletable } from '../../entities/database/table-access';
import { deleteNotifications } from '../notifications/retention';
import type { OwnedRows, ResetStep } from './tables';

/** Values of the named parameters of a step. */
export type Values = Readonly<Record<string, unknown>>;
/** Deleted rows by table. */
export type Counts = Record<string, number>;

/** Deletes one batch of a step, with all that its rows own; no rows when the step is done. */
export async function deleteBatch(tx: Tx, step: ResetStep, values: Values): Promise<Counts> {
  const counts: Counts = {};
  const all = { ...values, limit: step.batch ?? rowsAtOnce };
  if (step.statement) {
    const { sql, table } = step.statement;
    add(counts, table, await execute(tx, ...bind(sql, all)));
  }
  if (step.pick && step.rows) {
    const picked = await query<{ id: string }>(tx, ...bind(step.pick, all));
    await deleteRows({ tx, values: all, counts }, step.rows, idsOf(picked));
  }
  if (step.notices) {
    const { sql, table } = step.notices;
    add(counts, table, await deleteNotices(tx, await query(tx, ...bind(sql, all))));
  }
  return counts;
}

/** Feed by feed, with whatever counts or remembers them. */
async function deleteNotices(
  tx: Tx,
  notices: readonly { id: string; feedId: string }[],
): Promise<number> {
  let deleted = 0;
  for (const feedId of [...new Set(notices.map((notice) => notice.feedId))].sort()) {
    const own = notices.filter((notice) => notice.feedId === feedId);
    deleted += await deleteNotifications(tx, { feedId, ids: idsOf(own) });
  }
  return deleted;
}

interface Work {
  tx: Tx;
  values: Values;
  counts: Counts;
}

async function deleteRows(
  work: Work,
  { table, owns = [], first, key = 'id' }: Omit<OwnedRows, 'of'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  if (first) await execute(work.tx, ...bind(first, { ...work.values, ids }));
  for (const owned of owns) await deleteOwned(work, owned, ids);
  add(work.counts, table, await deleteByKey(work, { table, key }, ids));
}

async function deleteOwned(work: Work, owned: OwnedRows, owners: readonly string[]): Promise<void> {
  const { table, of, key, owns, first } = owned;
  if (!owns && !first) {
    const deleted = key
      ? deleteByKey(work, { table, key }, owners)
      : execute(work.tx, `DELETE FROM ${table} WHERE ${of}`, [owners]);
    add(work.counts, table, await deleted);
    return;
  }
  // Rows in the order of their ids, like everything that locks several.
  const lock = isAppendOnly(table) ? '' : 'FOR UPDATE';
  const found = await query<{ id: string }>(
    work.tx,
    `SELECT id FROM ${table} WHERE ${of} ORDER BY id ${lock}`,
    [owners],
  );
  await deleteRows(work, { ...owned, key: 'id' }, idsOf(found));
}

/** What the processes may not delete goes by a function of the schema's owner, which knows what a reset may take. */
async function deleteByKey(
  { tx, values }: Work,
  { table, key }: { table: string; key: string },
  keys: readonly string[],
): Promise<number> {
  if (isDeletable(table)) {
    return execute(tx, `DELETE FROM ${table} WHERE ${key} = ANY ($1)`, [keys]);
  }
  const row = await queryOne<{ deleted: number }>(
    tx,
    'SELECT delete_reset_rows($1, $2, $3, $4) AS deleted',
    [values['workspace'], table, key, keys],
  );
  return row?.deleted ?? 0;
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}

function add(counts: Counts, table: string, rows: number): void {
  if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
}

/** Named parameters as Postgres numbers them. */
function bind(sql: string, values: Values): [text: string, params: unknown[]] {
  const names: string[] = [];
  const text = sql.replace(/(?<!:):([a-z]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  });
  return [text, names.map((name) => values[name])];
}
