import { createErasureActivities } from '../../../../activities/erasure/activities';
import { settleMsOf } from '../../../../activities/erasure/settle-time';
import { systemCause } from '../../../../activities/journal/cause';
import { queueMail } from '../../../../activities/journal/mail-queue';
import { queueClearing, startReset } from '../../../../activities/test-data/resets';
import { rememberRequeue } from '../../../../activities/webhooks/requeues';
import { requestErasure } from '../../../../api/erasure/request-erasure';
import { execute, query, queryOne, transaction } from '../../../../entities/database/sql';
import { newId } from '../../../../entities/ids';
import { systemActor } from '../../../../entities/rules/values/actor';
import type { Scope } from '../../../../entities/rules/values/mode';
import { taskQueues, workflowIds } from '../../../../runtime/temporal/messages';
import type { TestDeps } from '../../app';
import { buildMember, buildPartner } from '../../build/accounts';
import { buildCommission } from '../../build/commissions';
import { buildParticipant, buildProgram } from '../../build/programs';
import { buildEndpoint, buildEvent } from '../../build/webhooks';
import { eventually, until } from '../../eventually';
import { invoicePaid, stripeId } from '../../stripe/events';
import { buildStripeShop } from '../../stripe/shop';
import type { Outside } from './outside';
import type { MovedService } from './service';

export interface UnderWay {
  /** A commission whose hold is over and that waits for a person. */
  reviewedId: string;
}

const day = 86_400_000;
const holdMs = 30 * day;

/**
 * Has every type of workflow under way. What waits by itself runs at its workers, which cannot get on
 * because all around them is broken; the runs of the other queues wait for a worker.
 */
export async function putUnderWay(
  deps: TestDeps,
  service: MovedService,
  outside: Outside,
): Promise<UnderWay> {
  await service.serve(['commissions', 'stripe', 'webhooks', 'mail', 'erasure']);
  const reviewedId = await holdCommissions(deps, outside);
  await receiveFromStripe(deps);
  const addressee = await buildMember(deps.db.manager);
  await mailTo(deps, addressee);
  await beginErasure(deps);

  await service.serve(['commissions', 'stripe', 'webhooks']);
  await mailTo(deps, addressee);
  await leaveErasures(deps);
  await replayDeadLetters(deps, outside);
  await clearRows(deps);
  await addRecurringWork(deps);
  await service.applySchedules();
  return { reviewedId };
}

/**
 * Makes commissions that are in hold for long, about to end, and in review; their webhooks are
 * refused. Gives the last one's id.
 */
async function holdCommissions(deps: TestDeps, { sink }: Outside): Promise<string> {
  const db = deps.db.manager;
  const program = await buildProgram(db);
  await buildEndpoint(deps, program, { url: sink.url });
  const participant = await buildParticipant(db, { program });
  const endingIn = (ms: number): Date => new Date(Date.now() - holdMs + ms);
  await buildCommission(db, { program, participant });
  await buildCommission(db, { program, participant, createdAt: endingIn(20_000) });
  await buildCommission(db, { program, participant, createdAt: endingIn(5 * 60_000) });
  const reviewed = await buildCommission(db, {
    program,
    participant,
    reviewReasons: ['FRAUD_SUSPECTED'],
    createdAt: endingIn(-day),
  });
  await untilFound(deps, `SELECT 1 FROM webhook_deliveries WHERE status = 'retrying'`);
  return reviewed.id;
}

async function receiveFromStripe(deps: TestDeps): Promise<void> {
  const shop = await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
  const click = await shop.click(new Date(Date.now() - 3_600_000));
  await shop.receive(
    invoicePaid({ click, invoice: stripeId('in'), subscription: stripeId('sub') }),
  );
  await untilFound(deps, `SELECT 1 FROM stripe_events WHERE status = 'retrying'`);
}

async function mailTo(deps: TestDeps, { id }: { id: string }): Promise<void> {
  const to = { side: 'merchant', accountId: id } as const;
  await transaction(deps.db, (tx) =>
    queueMail(tx, { type: 'security.password_changed', to, at: deps.clock.now() }),
  );
}

async function buildAccount(deps: TestDeps): Promise<string> {
  const db = deps.db.manager;
  const { id: partnerId, name: partnerName, email: partnerEmail } = await buildPartner(db);
  await buildParticipant(db, { partnerId, partnerName, partnerEmail });
  return partnerId;
}

/** Begins an erasure, until its confirmation waits for the mail server. */
async function beginErasure(deps: TestDeps): Promise<void> {
  const subjectId = await buildAccount(deps);
  await requestErasure(deps, { kind: 'account', subjectId, actor: systemActor });
  await untilFound(deps, `SELECT 1 FROM erasures WHERE status = 'completed'`);
}

/** One before the point of no return, and one after it. */
async function leaveErasures(deps: TestDeps): Promise<void> {
  const activities = createErasureActivities(deps);
  for (const isDecided of [false, true]) {
    const subject = { kind: 'account', subjectId: await buildAccount(deps) } as const;
    const erasureId = newId();
    const key = { ...subject, erasureId, actor: systemActor };
    const { erasedAt } = await activities.beginErasure(key);
    if (isDecided) await activities.anonymiseErased({ erasureId, until: null });
    const input = { ...subject, settleMs: settleMsOf(deps.config), begun: { erasureId, erasedAt } };
    await deps.temporal.client.workflow.start('eraseSubject', {
      workflowId: workflowIds.erasure(subject.kind, subject.subjectId),
      taskQueue: taskQueues.erasure,
      args: [input],
    });
  }
}

async function replayDeadLetters(deps: TestDeps, { sink }: Outside): Promise<void> {
  const db = deps.db.manager;
  const { workspaceId } = await buildMember(db);
  const scope: Scope = { workspaceId, mode: 'live' };
  const { id: endpointId } = await buildEndpoint(deps, scope, { url: sink.url });
  // No attempt is made before they are dead letters.
  const webhooks = { ...deps.config.webhooks, retrySchedule: [3_600_000] };
  const unhurried = { ...deps, config: { ...deps.config, webhooks } };
  for (let count = 0; count < 3; count += 1) await buildEvent(unhurried, scope);
  await execute(
    db,
    `UPDATE webhook_deliveries SET status = 'dead_letter', attempts = 3, next_attempt_at = NULL,
       last_attempt_at = created_at WHERE endpoint_id = $1`,
    [endpointId],
  );
  const context = { scope, ...systemCause(deps.clock.now()) };
  await transaction(deps.db, (tx) =>
    rememberRequeue(tx, context, { endpointId, since: null, until: context.now }),
  );
}

/** The test data of one workspace, and all rows of one that was closed. */
async function clearRows(deps: TestDeps): Promise<void> {
  const db = deps.db.manager;
  const cause = systemCause(deps.clock.now());
  const test = await buildProgram(db, { mode: 'test' });
  await buildCommission(db, { program: test, status: 'approved' });
  await startReset(deps, { ...cause, scope: { workspaceId: test.workspaceId } });

  const { workspaceId } = await buildProgram(db);
  await execute(db, 'UPDATE workspaces SET closes_at = $2, closed_at = $2 WHERE id = $1', [
    workspaceId,
    new Date(cause.now.getTime() - 2 * 60_000),
  ]);
  await transaction(deps.db, (tx) => queueClearing(tx, cause, { workspaceId }));
}

/** What the runs of the schedules find to do. */
async function addRecurringWork(deps: TestDeps): Promise<void> {
  const db = deps.db.manager;
  await execute(
    db,
    `INSERT INTO waitlist_signups (id, email, created_at)
     VALUES (gen_random_uuid(), 'old@example.test', now() - interval '2 years')`,
  );
  const wrong = await buildCommission(db, { status: 'approved' });
  await execute(db, 'UPDATE commissions SET owed_cents = owed_cents + 1 WHERE id = $1', [wrong.id]);
}

function untilFound(deps: TestDeps, statement: string): Promise<void> {
  return until(async () => (await queryOne(deps.db.manager, statement)) !== undefined);
}

/** Types of the runs that are open, once there are so many kinds. */
export function openTypes(deps: TestDeps, kinds: number): Promise<string[]> {
  return eventually(async () => {
    const types = new Set<string>();
    const open = deps.temporal.client.workflow.list({ query: `ExecutionStatus = 'Running'` });
    for await (const { type } of open) types.add(type);
    return types.size >= kinds ? [...types].toSorted() : undefined;
  });
}

/** Nothing is left to be carried. */
export async function untilCarried(deps: TestDeps): Promise<void> {
  const waiting = `SELECT 1 FROM outbox LIMIT 1`;
  await until(async () => (await query(deps.db.manager, waiting)).length === 0);
}
