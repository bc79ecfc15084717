import { execute, prepared, type Db } from '../../entities/database/sql';
import type { Claim } from './outbox-claims';
import { moveToDeadLetters } from './outbox-dead';

/** How the rows of a claim ended. Who lost the lease meanwhile changes nothing. */
export interface ClaimOutcome {
  done: readonly number[];
  /** Failed for a reason of their own: id -> code. Tried again later with each attempt. */
  refused: ReadonlyMap<number, string>;
  /** Nothing is known to be wrong with them. Not counted as an attempt; later each time. */
  deferred: readonly number[];
  /** Rows that were not tried: not counted as an attempt; free at once. */
  untouched: readonly number[];
  now: Date;
}

/** The attempts, of about an hour, after which a row is taken out. */
export const maxAttempts = 20;

/** The longest time that such work waits once what it needs is back. */
const maxDeferralS = 10;

/** Gives the number of rows that were given up. */
export async function endClaim(db: Db, claim: Claim, outcome: ClaimOutcome): Promise<number> {
  const { done, refused, deferred, untouched, now } = outcome;
  const tried = new Map(claim.work.map(({ id, attempts }) => [id, attempts]));
  const isOver = (id: number): boolean => (tried.get(id) ?? 0) >= maxAttempts;
  const over = [...refused].filter(([id]) => isOver(id));
  const again = [...refused].filter(([id]) => !isOver(id));
  if (done.length > 0) await forget(db, claim, done);
  if (over.length > 0) {
    const ids = over.map(([id]) => id);
    await moveToDeadLetters(db, claim, { ids, codes: over.map(([, code]) => code), now });
  }
  if (again.length > 0) await backOff(db, claim, { again, now });
  if (deferred.length > 0) await defer(db, claim, { ids: deferred, now });
  if (untouched.length > 0) await giveBack(db, claim, untouched);
  return over.length;
}

async function forget(db: Db, claim: Claim, ids: readonly number[]): Promise<void> {
  await prepared(db, {
    name: 'outbox.done',
    text: 'DELETE FROM outbox WHERE topic = $1 AND id = ANY($2) AND lease_token = $3',
    values: [claim.topic, ids, claim.token],
  });
}

type Failures = readonly (readonly [number, string])[];

async function backOff(
  db: Db,
  claim: Claim,
  { again, now }: { again: Failures; now: Date },
): Promise<void> {
  await execute(
    db,
    `UPDATE outbox o SET lease_token = NULL, lease_until = NULL, error_code = f.code,
       available_at = $5::timestamptz
         + least(0.25 * power(2, least(o.attempts - 1, 12)), 300) * interval '1 second'
       FROM unnest($2::bigint[], $4::text[]) AS f (id, code)
      WHERE o.topic = $1 AND o.id = f.id AND o.lease_token = $3`,
    [claim.topic, again.map(([id]) => id), claim.token, again.map(([, code]) => code), now],
  );
}

interface Left {
  ids: readonly number[];
  now: Date;
}

/** Soon at first, for what is locked; later each time, or those at the head would be called again and again before all others. */
async function defer(db: Db, claim: Claim, { ids, now }: Left): Promise<void> {
  await execute(
    db,
    `UPDATE outbox SET lease_token = NULL, lease_until = NULL, attempts = attempts - 1,
       deferrals = deferrals + 1,
       available_at = $4::timestamptz
         + least(0.25 * power(2, least(deferrals, 12)), ${maxDeferralS}) * interval '1 second'
      WHERE topic = $1 AND id = ANY($2) AND lease_token = $3`,
    [claim.topic, ids, claim.token, now],
  );
}

async function giveBack(db: Db, claim: Claim, ids: readonly number[]): Promise<void> {
  await execute(
    db,
    `UPDATE outbox SET lease_token = NULL, lease_until = NULL, attempts = attempts - 1
      WHERE topic = $1 AND id = ANY($2) AND lease_token = $3`,
    [claim.topic, ids, claim.token],
  );
}
