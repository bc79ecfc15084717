import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { stateSql, type FoldState } from './fold';

/** The end is excluded; null is open. */
export interface RebuildRange {
  since: Date | null;
  before: Date | null;
}

export interface RebuiltPart {
  since: Date | null;
  before: Date | null;
  /** Sums by quarter of an hour that were written. */
  sums: number;
}

/**
 * Sums the raw rows of a range again, widened to whole UTC months, each in a transaction. Requests go on meanwhile, folds
 * wait for each month. After a restore into another server everything is rebuilt, whatever the range.
 */
export async function rebuildAnalytics(
  db: Db,
  range: RebuildRange,
  onPart: (part: RebuiltPart) => void = () => undefined,
): Promise<void> {
  const isRestored = await transaction(db, adoptRestored);
  const { since, before } = isRestored ? { since: null, before: null } : wholeMonths(range);
  const bounds = await boundsOf(db);
  // Older sums have no raw rows any more: clicks of dropped months.
  const begin = since ?? startOfMonth(bounds.first);
  for (const part of months(begin, before, bounds)) {
    const row = await queryOne<{ sums: number }>(
      db,
      `SELECT analytics_rebuild(coalesce($1::timestamptz, '-infinity'),
                                coalesce($2::timestamptz, 'infinity')) AS sums`,
      [part.since, part.before],
    );
    onPart({ ...part, sums: row?.sums ?? 0 });
  }
}

/** A restored copy has numbers of another server's transactions: they are all in the past. */
async function adoptRestored(tx: Tx): Promise<boolean> {
  const state = await queryOne<FoldState>(tx, `${stateSql} FOR UPDATE`);
  if (!state || state.from <= state.next) return false;
  await execute(tx, 'UPDATE clicks SET recorded_in = NULL WHERE recorded_in >= $1', [
    state.settled,
  ]);
  await execute(tx, 'UPDATE analytics_state SET folded_before = $1', [state.settled]);
  return true;
}

interface Bounds {
  first: Date | null;
  last: Date | null;
}

async function boundsOf(db: Db): Promise<Bounds> {
  const row = await queryOne<Bounds>(
    db,
    `SELECT least((SELECT min(created_at) FROM clicks), (SELECT min(occurred_at) FROM conversions))
              AS first,
            greatest((SELECT max(created_at) FROM clicks),
                     (SELECT max(occurred_at) FROM conversions)) AS last`,
  );
  return row ?? { first: null, last: null };
}

/** The range cut at the months that have rows; open ends stay open. */
function months(
  since: Date | null,
  before: Date | null,
  { first, last }: Bounds,
): { since: Date | null; before: Date | null }[] {
  const parts: { since: Date | null; before: Date | null }[] = [];
  let start = since;
  let next = nextMonth(later(since, first));
  while (next && last && next <= last && (!before || next < before)) {
    parts.push({ since: start, before: next });
    start = next;
    next = nextMonth(next);
  }
  return [...parts, { since: start, before }];
}

function later(a: Date | null, b: Date | null): Date | null {
  if (!a || !b) return a ?? b;
  return a > b ? a : b;
}

function wholeMonths({ since, before }: RebuildRange): RebuildRange {
  const last = before && new Date(before.getTime() - 1);
  return { since: startOfMonth(since), before: nextMonth(last) };
}

function startOfMonth(at: Date | null): Date | null {
  return at && new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth()));
}

function nextMonth(at: Date | null): Date | null {
  return at && new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1));
}
