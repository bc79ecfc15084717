import { repairPart } from '../../activities/maintenance/repair';
import { decideParticipant } from '../../activities/partners/participant-decisions';
import type { CommissionRecord } from '../../activities/commissions/records';
import { query, transaction, type Db } from '../../entities/database/sql';
import { systemActor } from '../../entities/rules/values/actor';
import { Commission } from '../../entities/tables/commissions/commission.entity';
import { changedSignal } from '../../workflows/commission-lifecycle';
import { openTestDeps, type TestDeps } from '../support/app';
import { buildCommission } from '../support/build/commissions';
import { eventually } from '../support/eventually';
import { trailOf } from '../support/stored/commission-trail';
import { startLifecycleWorker, type LifecycleWorker } from '../support/workers/lifecycle';
import { oneRow } from '../support/rows';

let deps: TestDeps;
let lifecycles: LifecycleWorker;

beforeAll(async () => {
  deps = await openTestDeps();
  lifecycles = await startLifecycleWorker(deps);
}, 60_000);
afterAll(async () => {
  await lifecycles.stop();
  await deps.close();
});

const decide = (db: Db, commission: CommissionRecord, decision: 'suspend' | 'reinstate') => {
  const { workspaceId, mode, programId, participantId } = commission;
  const context = { scope: { workspaceId, mode }, actor: systemActor, now: new Date() };
  return decideParticipant(db, context, { programId, participantId, decision, reason: 'a test' });
};

it('a hold that ends while its partner is being reinstated goes on by itself', async () => {
  const db = deps.db.manager;
  const commission = await buildCommission(db, { createdAt: new Date('2026-01-01T00:00:00Z') });
  const { id } = commission;
  const rowOf = () => oneRow(db, Commission, { id });
  await decide(db, commission, 'suspend');
  const handle = await transaction(db, async (tx) => {
    await decide(tx, commission, 'reinstate');
    // The lifecycle does not see the reinstatement yet, which has not seen the flag.
    const started = await lifecycles.start(commission);
    await eventually(async () => ((await rowOf()).needsReview ? true : undefined));
    return started;
  });
  expect(await rowOf()).toMatchObject({ reviewReasons: ['PARTNER_SUSPENDED'], holdElapsed: true });

  await repairPart(deps, 'overdue', null);

  expect(await rowOf()).toMatchObject({ status: 'approved', reviewReasons: [] });
  expect((await trailOf(db, id)).history).toEqual([
    '>pending created',
    'pending>approved hold_elapsed',
  ]);
  const queued = await query(db, `SELECT 1 FROM outbox WHERE topic = 'commission' AND ref = $1`, [
    id,
  ]);
  expect(queued).not.toHaveLength(0);
  await handle.signal(changedSignal);
  expect(await handle.result()).toBe('approved');
}, 60_000);
