import { query, type Tx } from '../../entities/database/sql';
import type { ConversionPlan } from './decide';
import type { WrittenConversions } from './insert-with-commission';
import { alike, type Asked } from './look-alikes';

const keyOf = `hashtextextended(concat_ws(':', 'twin', participant, currency, amount), 0)`;
const named = `unnest($1::int[], $2::text[], $3::text[], $4::bigint[])
  AS t (place, participant, currency, amount)`;

/** Two sales that are alike share one of their sums, net or gross. */
function keysOf(asked: readonly Asked[]): unknown[] {
  const keys = asked.flatMap(({ twin }, n) =>
    [...new Set([twin.amountCents, twin.grossCents])].map((amount) => ({ n, twin, amount })),
  );
  return [
    keys.map(({ n }) => n),
    keys.map(({ twin }) => twin.participantId),
    keys.map(({ twin }) => twin.currency),
    keys.map(({ amount }) => amount),
  ];
}

/**
 * Looks once more, under a lock on partner, currency and sum: of two sales that are written side by side one
 * sees the other. Not as planned when one was found that the plan did not know; a lock that another
 * transaction has is not waited for, but in an open one.
 */
export async function holdTwins(
  tx: Tx,
  plans: readonly ConversionPlan[],
  { waits }: { waits: boolean },
): Promise<WrittenConversions> {
  const asked = plans.flatMap(({ twin }, place) => (twin ? [{ place, twin }] : []));
  if (asked.length === 0) return { isWritten: true, locked: new Set() };
  const keys = keysOf(asked);
  const locked = waits ? await lockTwins(tx, keys) : await tryLockTwins(tx, keys);
  const taken = asked.flatMap(({ place }, n) =>
    locked.has(n) ? (plans[place]?.record.id ?? []) : [],
  );
  if (taken.length > 0) return { isWritten: true, locked: new Set(taken) };
  const found = await alike(tx, asked);
  const isNews = ({ place }: Asked): boolean => !isFlagged(plans[place]);
  return { isWritten: !found.some(isNews), locked: new Set() };
}

function isFlagged(plan: ConversionPlan | undefined): boolean {
  return plan?.commission?.commission.reviewReasons.includes('POSSIBLE_DUPLICATE') === true;
}

async function lockTwins(tx: Tx, keys: unknown[]): Promise<Set<number>> {
  await query(
    tx,
    `SELECT pg_advisory_xact_lock(key) FROM (
       SELECT DISTINCT ${keyOf} AS key FROM ${named} ORDER BY 1) AS keys`,
    keys,
  );
  return new Set();
}

async function tryLockTwins(tx: Tx, keys: unknown[]): Promise<Set<number>> {
  const rows = await query<{ place: number }>(
    tx,
    `SELECT place FROM ${named} WHERE NOT pg_try_advisory_xact_lock(${keyOf})`,
    keys,
  );
  return new Set(rows.map(({ place }) => place));
}
