import { WithStartWorkflowOperation, type WorkflowHandle } from '@temporalio/client';
import { createErasureActivities } from '../../activities/erasure/activities';
import { newId } from '../../entities/ids';
import { query, queryOne } from '../../entities/database/sql';
import {
  eraseUpdateName,
  workflowIds,
  type EraseRequest,
  type EraseSubjectInput,
} from '../../runtime/temporal/messages';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { retryErasureUpdate, type ErasureState } from '../../workflows/erase-subject';
import { useDeps } from '../support/app';
import { buildPartner, signIn } from '../support/build/accounts';
import { buildCommission, buildPayout } from '../support/build/commissions';
import { buildParticipant } from '../support/build/programs';
import { eventually } from '../support/eventually';
import { startErasureWorker, type ErasureWorker } from '../support/workers/erasure';
import { saveHistory } from '../support/workers/histories';
import { deliverQueued } from '../support/stored/mails';

const deps = useDeps();
let taskQueue: string;
let worker: ErasureWorker | undefined;
beforeEach(() => {
  taskQueue = `erasure-${newId()}`;
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

type Activities = ReturnType<typeof createErasureActivities>;

async function startWorker(activities: Partial<Activities> = {}): Promise<void> {
  worker = await startErasureWorker(deps, { taskQueue, activities });
}

interface Asked {
  handle: WorkflowHandle;
  answer: Promise<{ erasedAt: string }>;
}

async function ask(
  kind: 'account' | 'participant',
  subjectId: string,
  decidedWithinMs = 20_000,
): Promise<Asked> {
  const input: EraseSubjectInput = { kind, subjectId, settleMs: 200 };
  const request: EraseRequest = {
    erasureId: newId(),
    actor: { type: 'partner', id: subjectId },
    until: new Date(Date.now() + 20_000).toISOString(),
    answerBy: new Date(Date.now() + decidedWithinMs).toISOString(),
  };
  const operation = new WithStartWorkflowOperation<(input: EraseSubjectInput) => Promise<unknown>>(
    'eraseSubject',
    {
      workflowId: workflowIds.erasure(kind, subjectId),
      taskQueue,
      args: [input],
      workflowIdConflictPolicy: 'USE_EXISTING',
    },
  );
  const answer = deps.temporal.client.workflow.executeUpdateWithStart<
    (input: EraseSubjectInput) => Promise<unknown>,
    { erasedAt: string },
    [EraseRequest]
  >(eraseUpdateName, { updateId: newId(), args: [request], startWorkflowOperation: operation });
  answer.catch(() => undefined);
  return { handle: await operation.workflowHandle(), answer };
}

async function buildStory() {
  const db = deps.db.manager;
  const partner = await buildPartner(db, { name: 'Paula Private' });
  const identity = {
    partnerId: partner.id,
    partnerName: partner.name,
    partnerEmail: partner.email,
  };
  const participant = await buildParticipant(db, identity);
  const other = await buildParticipant(db, { ...identity, mode: 'test' });
  return { partner, participant, other };
}

async function accountOf(id: string) {
  return queryOne<{ name: string; erasedAt: Date | null }>(
    deps.db.manager,
    'SELECT name, erased_at AS "erasedAt" FROM partner_accounts WHERE id = $1',
    [id],
  );
}

describe('eraseSubject', () => {
  it('erases an account step by step, with ids only in its history', async () => {
    await startWorker();
    const { partner, participant } = await buildStory();
    const { handle, answer } = await ask('account', partner.id);
    const { erasedAt } = await answer;
    expect(await accountOf(partner.id)).toMatchObject({ name: 'Erased partner' });

    expect(await deliverQueued(deps)).toContain('sent');
    const state = (await handle.result()) as ErasureState;
    expect(state).toMatchObject({ step: 'done', erasedAt, refusal: null, parts: 3, cleaned: 3 });
    const history = await saveHistory(handle, 'erase-subject.account');
    expect(history).toContain(participant.id);
    expect(history).not.toContain(partner.email);
    expect(history).not.toContain('Paula');
  }, 60_000);

  it('is refused by a payout for all who ask, and begins again after it', async () => {
    await startWorker();
    const { participant } = await buildStory();
    const due = await buildCommission(deps.db.manager, { participant, status: 'approved' });
    const payout = await buildPayout(deps.db.manager, [due]);

    const { handle, answer } = await ask('participant', participant.id);
    await expect(answer).rejects.toMatchObject({ cause: { type: 'ERASURE_BLOCKED_PAYOUT' } });
    expect(await handle.result()).toMatchObject({ refusal: 'ERASURE_BLOCKED_PAYOUT' });
    await saveHistory(handle, 'erase-subject.refused');

    await deps.db.manager.query(`UPDATE payout_items SET status = 'paid' WHERE payout_id = $1`, [
      payout.id,
    ]);
    const second = await ask('participant', participant.id);
    expect(Date.parse((await second.answer).erasedAt)).not.toBeNaN();
    await deliverQueued(deps);
    await second.handle.result();
  }, 60_000);

  it('is the same when every step is done, lost and done again', async () => {
    const real = createErasureActivities(deps);
    const lost = new Set<string>();
    const twice = Object.fromEntries(
      Object.entries(real).map(([name, activity]) => [
        name,
        async (input: never) => {
          const result: unknown = await activity(input);
          if (lost.has(name)) return result;
          lost.add(name);
          throw new Error('the worker died before it could tell');
        },
      ]),
    );
    await startWorker(twice);
    const { partner } = await buildStory();
    const { handle, answer } = await ask('account', partner.id);
    await answer;
    await deliverQueued(deps);
    await handle.result();

    const events = await query(
      deps.db.manager,
      `SELECT 1 FROM events WHERE type = 'participant.erased'
        AND object->>'partner_gpa_id' = $1`,
      [partner.id],
    );
    expect(events).toHaveLength(2);
    const mails = await query(deps.db.manager, `SELECT 1 FROM erasures WHERE subject_id = $1`, [
      partner.id,
    ]);
    expect(mails).toHaveLength(1);
    const receipts = await query<{ changes: Record<string, number>; completed: boolean }>(
      deps.db.manager,
      `SELECT changes, completed_at IS NOT NULL AS completed FROM erasure_receipts
        WHERE erasure_id = (SELECT id FROM erasures WHERE subject_id = $1)`,
      [partner.id],
    );
    expect(receipts.map(({ completed }) => completed)).toEqual([true, true, true]);
    const rows = receipts.reduce((sum, { changes }) => sum + (changes['participants'] ?? 0), 0);
    expect(rows).toBe(2);
  }, 60_000);

  it('cleans all other parts, twice, while one keeps failing, and that one in the end', async () => {
    const { cleanErasedCopies } = createErasureActivities(deps);
    const { partner, participant, other } = await buildStory();
    const cleaned: (string | null)[] = [];
    let isBroken = true;
    await startWorker({
      async cleanErasedCopies(input) {
        if (isBroken && input.participantId === participant.id) throw new Error('too large');
        const left = await cleanErasedCopies(input);
        if (left === null) cleaned.push(input.participantId);
        return left;
      },
    });
    const { handle, answer } = await ask('account', partner.id);
    await answer;
    await eventually(async () => (cleaned.length >= 4 ? true : undefined), 60_000);
    expect(cleaned).toEqual([null, other.id, null, other.id]);

    isBroken = false;
    await deliverQueued(deps);
    expect(await handle.result()).toMatchObject({ step: 'done', parts: 3, cleaned: 3 });
    expect(cleaned.at(-1)).toBe(participant.id);
  }, 120_000);

  it('tries at once what it waits for when an operator says so', async () => {
    const { completeErasure } = createErasureActivities(deps);
    let failures = 0;
    let isBroken = true;
    await startWorker({
      async completeErasure(input) {
        failures += 1;
        if (isBroken) throw new Error('the disk is full');
        await completeErasure(input);
      },
    });
    const { participant } = await buildStory();
    const { handle, answer } = await ask('participant', participant.id);
    await answer;
    await eventually(() => Promise.resolve(failures >= 4 || undefined));
    isBroken = false;
    const note: OperatorNote = { operator: 'op-17', reasonCode: 'PARTNER_REQUEST' };
    await handle.executeUpdate(retryErasureUpdate, { args: [note] });
    await deliverQueued(deps);
    expect(await handle.result()).toMatchObject({ step: 'done' });
    const history = await saveHistory(handle, 'erase-subject.operator-retries');
    // The update tried it, not the server's own next attempt, which comes some seconds later.
    expect(history).toContain('ACTIVITY_TASK_CANCEL_REQUESTED');
    const lines = await query(
      deps.db.manager,
      `SELECT l.operator FROM audit_log AS l JOIN erasures AS e ON e.id::text = l.target_id
        WHERE e.subject_id = $1 AND l.action = 'erasure.retried_now'`,
      [participant.id],
    );
    expect(lines).toEqual([{ operator: 'op-17' }]);
  }, 60_000);

  it('undoes what was not decided in time: whoever was told 503 is not erased later', async () => {
    await startWorker();
    const { partner } = await buildStory();
    const { handle, answer } = await ask('account', partner.id, -1);
    await expect(answer).rejects.toMatchObject({ cause: { type: 'SERVICE_UNAVAILABLE' } });
    expect(await handle.result()).toMatchObject({ refusal: 'SERVICE_UNAVAILABLE', parts: 0 });
    expect(await accountOf(partner.id)).toEqual({ name: 'Paula Private', erasedAt: null });

    const again = await ask('account', partner.id);
    expect(Date.parse((await again.answer).erasedAt)).not.toBeNaN();
    await deliverQueued(deps);
    await again.handle.result();
  }, 60_000);

  it('undoes what can be undone when a step before the point of no return fails', async () => {
    const { beginErasure } = createErasureActivities(deps);
    await startWorker({
      async beginErasure(input) {
        await beginErasure(input);
        throw new Error('no mail can be written');
      },
    });
    const { partner, participant } = await buildStory();
    const session = await signIn(deps, partner);
    const { handle, answer } = await ask('account', partner.id);
    await expect(answer).rejects.toMatchObject({ cause: { type: 'SERVICE_UNAVAILABLE' } });
    await saveHistory(handle, 'erase-subject.undone');

    expect(await accountOf(partner.id)).toEqual({ name: 'Paula Private', erasedAt: null });
    const [left] = await query<{ sessions: number; tokens: number; erased: number }>(
      deps.db.manager,
      `SELECT (SELECT count(*) FROM sessions WHERE id = $1 AND revoked_at IS NULL) AS sessions,
              (SELECT count(*) FROM referral_tokens
                WHERE participant_id = $2 AND retired_at IS NULL) AS tokens,
              (SELECT count(*) FROM participants
                WHERE partner_id = $3 AND erased_at IS NOT NULL) AS erased`,
      [session.sessionId, participant.id, partner.id],
    );
    expect(left).toEqual({ sessions: 1, tokens: 1, erased: 0 });
    const kept = await query(
      deps.db.manager,
      `SELECT 1 FROM erasure_identities AS i JOIN erasures AS e ON e.id = i.erasure_id
        WHERE e.subject_id = $1`,
      [partner.id],
    );
    expect(kept).toEqual([]);
  }, 60_000);
});
