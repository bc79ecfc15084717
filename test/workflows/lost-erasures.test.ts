import { repairErasures } from '../../activities/maintenance/erasures';
import { createErasureActivities } from '../../activities/erasure/activities';
import { lockSubject } from '../../activities/erasure/lock';
import { query, queryOne } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { systemActor } from '../../entities/rules/values/actor';
import { workflowIds } from '../../runtime/temporal/messages';
import { prepareNamespace } from '../../workers/temporal/namespace';
import { openTestDeps, type TestDeps } from '../support/app';
import { buildPartner } from '../support/build/accounts';
import { buildParticipant } from '../support/build/programs';
import { eventually } from '../support/eventually';
import { deliverQueued } from '../support/stored/mails';
import { startErasureWorker, type ErasureWorker } from '../support/workers/erasure';
import { saveHistory } from '../support/workers/histories';

let deps: TestDeps;
let worker: ErasureWorker | undefined;
beforeAll(async () => {
  // Other suites have workers for the queue of erasures.
  const namespace = `lost-erasures-${process.pid}-${Date.now()}`;
  deps = await openTestDeps({ TEMPORAL_NAMESPACE: namespace, WEBHOOK_TIMEOUT_MS: '200' });
  await prepareNamespace({ address: deps.config.temporal.address, namespace });
}, 120_000);
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});
afterAll(() => deps.close());

type Activities = ReturnType<typeof createErasureActivities>;

async function startWorker(activities: Partial<Activities> = {}): Promise<void> {
  worker = await startErasureWorker(deps, { activities });
}

const longAgo = (): Date => new Date(Date.now() - 11 * 60_000);

/** An account with participations, locked by an erasure eleven minutes ago that nobody goes on with. */
async function buildLocked(participations = 2) {
  const db = deps.db.manager;
  const partner = await buildPartner(db, { name: 'Paula Private' });
  const { id: partnerId, name: partnerName, email: partnerEmail } = partner;
  for (let count = 0; count < participations; count += 1) {
    await buildParticipant(db, { partnerId, partnerName, partnerEmail });
  }
  const erasureId = newId();
  const command = { erasureId, kind: 'account', subjectId: partnerId } as const;
  await lockSubject(deps, { actor: systemActor, now: longAgo() }, command);
  return { ...partner, erasureId };
}

async function statusOf(erasureId: string): Promise<string | undefined> {
  const db = deps.db.manager;
  return (
    await queryOne<{ status: string }>(db, 'SELECT status FROM erasures WHERE id = $1', [erasureId])
  )?.status;
}

async function nameOf(partnerId: string) {
  return queryOne<{ name: string; erasedAt: Date | null }>(
    deps.db.manager,
    'SELECT name, erased_at AS "erasedAt" FROM partner_accounts WHERE id = $1',
    [partnerId],
  );
}

const handleOf = (partnerId: string) =>
  deps.temporal.client.workflow.getHandle(workflowIds.erasure('account', partnerId));

/** Visibility lists what has ended a moment later. */
const repaired = (): Promise<number> =>
  eventually(async () => (await repairErasures(deps, null)).repaired || undefined);

describe('an erasure whose workflow was lost', () => {
  it('before the point of no return is undone: whoever asked was told 503', async () => {
    await startWorker();
    const partner = await buildLocked();
    expect(await repairErasures(deps, null)).toMatchObject({ repaired: 1, more: false });

    const handle = handleOf(partner.id);
    expect(await handle.result()).toMatchObject({ refusal: 'SERVICE_UNAVAILABLE', parts: 0 });
    await saveHistory(handle, 'erase-subject.lost-and-undone');
    expect(await statusOf(partner.erasureId)).toBe('cancelled');
    expect(await nameOf(partner.id)).toEqual({ name: 'Paula Private', erasedAt: null });
    expect(await repairErasures(deps, null)).toMatchObject({ repaired: 0 });
  }, 60_000);

  it('after it is finished, on its own row, with one receipt a part', async () => {
    const partner = await buildLocked();
    const { erasureId } = partner;
    await createErasureActivities(deps).anonymiseErased({ erasureId, until: null });

    await startWorker();
    expect(await repairErasures(deps, null)).toMatchObject({ repaired: 1 });
    await deliverQueued(deps);
    expect(await handleOf(partner.id).result()).toMatchObject({ step: 'done', cleaned: 3 });
    expect(await statusOf(erasureId)).toBe('completed');
    const receipts = await query<{ completed: boolean }>(
      deps.db.manager,
      `SELECT completed_at IS NOT NULL AS completed FROM erasure_receipts WHERE erasure_id = $1`,
      [erasureId],
    );
    expect(receipts).toEqual(Array.from({ length: 3 }, () => ({ completed: true })));
  }, 60_000);

  it('and terminated a second time is found again', async () => {
    const partner = await buildLocked();
    const { erasureId } = partner;
    await createErasureActivities(deps).anonymiseErased({ erasureId, until: null });
    await repairErasures(deps, null);
    // No worker has taken it up; one that is open is left alone.
    expect(
      await eventually(async () =>
        (await repairErasures(deps, null)).repaired === 0 ? 'open' : undefined,
      ),
    ).toBe('open');
    await handleOf(partner.id).terminate();
    expect(await repaired()).toBe(1);

    await startWorker();
    await deliverQueued(deps);
    await handleOf(partner.id).result();
    expect(await statusOf(erasureId)).toBe('completed');
  }, 60_000);

  it('goes on in a new history after many parts, each cleaned twice', async () => {
    const partner = await buildLocked(3);
    const { erasureId } = partner;
    const real = createErasureActivities(deps);
    const { erasedAt } = (await real.anonymiseErased({ erasureId, until: null })) ?? {};
    const cleaned: (string | null)[] = [];
    await startWorker({
      async cleanErasedCopies(input) {
        const left = await real.cleanErasedCopies(input);
        if (left === null) cleaned.push(input.participantId);
        return left;
      },
    });
    const begun = { erasureId, erasedAt: erasedAt ?? '' };
    const first = await deps.temporal.client.workflow.start('eraseSubject', {
      workflowId: workflowIds.erasure('account', partner.id),
      taskQueue: 'erasure',
      args: [{ kind: 'account', subjectId: partner.id, settleMs: 200, begun, partsPerRun: 2 }],
    });
    await deliverQueued(deps);
    expect(await first.result()).toMatchObject({ step: 'done', parts: 4, cleaned: 4 });
    const { firstExecutionRunId } = first;
    const original = deps.temporal.client.workflow.getHandle(first.workflowId, firstExecutionRunId);
    await saveHistory(original, 'erase-subject.continued');
    expect(cleaned).toHaveLength(8);
    expect(new Set(cleaned).size).toBe(4);
    expect(await statusOf(erasureId)).toBe('completed');
  }, 60_000);

  it('when only its confirmation was left, forgets the address', async () => {
    const partner = await buildLocked();
    const { erasureId } = partner;
    const db = deps.db.manager;
    const real = createErasureActivities(deps);
    const lock = { erasureId, kind: 'account', subjectId: partner.id } as const;
    await real.beginErasure({ ...lock, actor: systemActor });
    await real.anonymiseErased({ erasureId, until: null });
    await real.completeErasure({ erasureId });
    const sealed = () => query(db, 'SELECT 1 FROM sealed_recipients');
    expect(await sealed()).toHaveLength(1);
    // What gave up mails that were too old knew nothing of the address.
    await query(db, `UPDATE mails SET status = 'failed', finished_at = now()`);

    expect(await repairErasures(deps, null)).toMatchObject({ repaired: 1 });
    expect(await sealed()).toEqual([]);
    expect(await repairErasures(deps, null)).toMatchObject({ repaired: 0 });
  }, 60_000);
});
