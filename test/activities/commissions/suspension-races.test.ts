import { advanceCommission } from '../../../activities/commissions/advance';
import {
  beginChange,
  withEvent,
  withFields,
} from '../../../activities/commissions/commission-change';
import { writeChanges } from '../../../activities/commissions/write';
import { decideParticipant } from '../../../activities/partners/participant-decisions';
import { execute, query, type Db } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { buildCommission } from '../../support/build/commissions';
import { useDatabase } from '../../support/data-source';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

it('a flag that was written just after the partner was reinstated goes by itself', async () => {
  const commission = await buildCommission(db, { createdAt: new Date('2026-01-01T00:00:00Z') });
  const flag = withFields(beginChange(commission, { now: new Date() }), {
    holdElapsed: true,
    reviewReasons: ['PARTNER_SUSPENDED'],
  });
  await writeChanges(db, [{ ...withEvent(flag, 'commission.updated'), signalsLifecycle: true }]);

  expect(
    await advanceCommission(db, { now: new Date() }, { commissionId: commission.id }),
  ).toMatchObject({
    status: 'approved',
    reviewReasons: [],
  });
});

it('reinstating clears a bounded number of flags itself and leaves the rest to the lifecycles', async () => {
  const commission = await buildCommission(db, { createdAt: new Date('2026-01-01T00:00:00Z') });
  const { id, programId, participantId, workspaceId, mode } = commission;
  await execute(
    db,
    `UPDATE commissions SET hold_elapsed = true, review_reasons = '{PARTNER_SUSPENDED}' WHERE id = $1`,
    [id],
  );
  await copyCommission(db, id, 520);
  await execute(db, `UPDATE participants SET status = 'suspended' WHERE id = $1`, [participantId]);
  const context = { scope: { workspaceId, mode }, actor: systemActor, now: new Date() };
  await decideParticipant(db, context, { programId, participantId, decision: 'reinstate' });

  const left = await query<{ id: string; queued: boolean }>(
    db,
    `SELECT c.id, EXISTS (SELECT 1 FROM outbox AS o
              WHERE o.topic = 'commission' AND o.ref = c.id) AS queued
       FROM commissions AS c WHERE c.participant_id = $1 AND c.needs_review`,
    [participantId],
  );
  expect(left).toHaveLength(21);
  expect(left.every(({ queued }) => queued)).toBe(true);
  const last = left[0]?.id ?? '';
  expect(await advanceCommission(db, context, { commissionId: last })).toMatchObject({
    status: 'approved',
    reviewReasons: [],
  });
}, 60_000);

/** Makes `count` further commissions like this one. */
async function copyCommission(db: Db, id: string, count: number): Promise<void> {
  const [row] = await query<Record<string, unknown>>(
    db,
    'SELECT * FROM commissions WHERE id = $1',
    [id],
  );
  const own = ['id', 'conversion_id', 'refunded_amount_cents', 'needs_review'];
  const columns = Object.keys(row ?? {}).filter((name) => !own.includes(name));
  await execute(
    db,
    `INSERT INTO commissions (id, conversion_id, ${columns.join(', ')})
     SELECT gen_random_uuid(), gen_random_uuid(), ${columns.join(', ')}
       FROM commissions, generate_series(1, $2::int) WHERE id = $1`,
    [id, count],
  );
}
