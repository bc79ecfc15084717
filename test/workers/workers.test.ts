import type { Client } from '@temporalio/client';
import { queueMail } from '../../activities/journal/mail-queue';
import { outboxTopics, type OutboxTopic } from '../../activities/journal/outbox';
import { execute, transaction } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import { taskQueues, type TaskQueue } from '../../workflows/messages';
import { relayHandlers } from '../../workers/relay/handlers';
import { searchKeys } from '../../runtime/connections/search-attributes';
import { capacity, stopTimes } from '../../workers/temporal/worker';
import { type TestDeps, useDeps } from '../support/app';
import { buildMember } from '../support/build/accounts';
import { buildCommission } from '../support/build/commissions';
import { buildParticipant, buildProgram } from '../support/build/programs';

const deps = useDeps();

it('activities have less time for a stop than the process has', () => {
  const { shutdownGraceTime, shutdownForceTime } = stopTimes({ shutdownTimeoutMs: 4_000 });
  expect(shutdownGraceTime).toBeGreaterThan(1_000);
  expect(shutdownForceTime).toBeGreaterThan(shutdownGraceTime);
  expect(shutdownForceTime).toBeLessThan(4_000 - 250);
});

it('full caches of all queues are a part of a small container', () => {
  const cached = Object.values(capacity).reduce((sum, queue) => sum + queue.maxCachedWorkflows, 0);
  const megabytesEach = 0.5;
  expect(cached * megabytesEach).toBeLessThanOrEqual(512);
});

interface Started {
  taskQueue?: string;
  priority?: { fairnessKey?: string };
  staticSummary?: string;
  memo?: Record<string, string>;
  typedSearchAttributes?: { get(key: unknown): unknown };
}

/** Stands for Temporal, and keeps with what it was asked to start. */
function recordingDeps(started: Started[]): TestDeps {
  const start = (_type: string, options: Started): Promise<void> => {
    started.push(options);
    return Promise.resolve();
  };
  const client = { workflow: { start, signalWithStart: start } } as unknown as Client;
  return {
    ...deps,
    temporal: { ...deps.temporal, within: (_ms, call) => call(client) },
  };
}

/** A row that the topic may be about. */
async function refOf(topic: OutboxTopic, commissionId: string): Promise<string> {
  if (topic === 'commission') return commissionId;
  return topic === 'notice_mail' ? noticeMail() : newId();
}

function noticeMail(): Promise<string> {
  const mail = { type: 'commission.created', to: { address: 'a@example.test' } } as const;
  return transaction(deps.db, (tx) => queueMail(tx, { ...mail, at: deps.clock.now() }));
}

/** Where the workflow of a topic runs; null for those that have none. */
const queues: Record<OutboxTopic, TaskQueue | null> = {
  event_deliveries: null,
  event_notices: null,
  feed: null,
  stripe_payment: null,
  commission: 'commissions',
  mail: 'mail',
  notice_mail: 'mail',
  stripe_event: 'stripe',
  webhook_retries: 'webhooks',
  webhook_requeue: 'bulk',
  test_reset: 'bulk',
};

it.each(outboxTopics.flatMap((topic) => (queues[topic] ? [[topic, queues[topic]] as const] : [])))(
  'operators find the workflow of %s by its merchant on the queue %s, and read what it is about',
  async (topic, queue) => {
    const started: Started[] = [];
    const { workspaceId } = await buildMember(deps.db.manager);
    const program = await buildProgram(deps.db.manager, { workspaceId, mode: 'test' });
    const participant = await buildParticipant(deps.db.manager, { program });
    const commission = await buildCommission(deps.db.manager, { program, participant });
    const work = {
      id: 1,
      ref: await refOf(topic, commission.id),
      workspaceId,
      payload: { mode: 'test', type: 'no known type', until: new Date().toISOString() },
      attempts: 1,
      waitedSeconds: 0,
      requestId: 'req-of-a-test',
    };
    const report = { refused: fail, defer: fail, away: fail };
    await relayHandlers(recordingDeps(started))[topic].handle([work], report);
    const [{ typedSearchAttributes, staticSummary, taskQueue, priority, memo } = {}] = started;
    expect(memo).toEqual({ requestId: 'req-of-a-test' });
    expect(taskQueue).toBe(taskQueues[queue]);
    expect(priority).toEqual({ fairnessKey: workspaceId });
    expect(typedSearchAttributes?.get(searchKeys.workspaceId)).toBe(workspaceId);
    expect(typedSearchAttributes?.get(searchKeys.mode)).toBe('test');
    expect(staticSummary).toBeTruthy();
    expect(staticSummary).not.toContain('no known type');
  },
);

it.each([
  [50, 50],
  [0.5, 1],
  [0, 500],
])('of %s starts a second, a claim takes %s', (relayStartsPerSecond, size) => {
  const config = { ...deps.config, relayStartsPerSecond };
  const handlers = relayHandlers({ ...recordingDeps([]), config });
  for (const topic of ['commission', 'notice_mail', 'webhook_retries'] as const) {
    expect(handlers[topic].claimSize).toBe(size);
  }
});

it('mails of notices that are over are done without a workflow, and spend nothing of the rate', async () => {
  const started: Started[] = [];
  const config = { ...deps.config, relayStartsPerSecond: 1 };
  const { notice_mail: notices } = relayHandlers({ ...recordingDeps(started), config });
  const waiting = await noticeMail();
  const over = await Promise.all(Array.from({ length: 30 }, noticeMail));
  await execute(deps.db.manager, `UPDATE mails SET status = 'failed' WHERE id = ANY($1)`, [over]);
  const { workspaceId } = await buildMember(deps.db.manager);
  const workOf = (ref: string, index: number) => ({
    id: index + 1,
    ref,
    workspaceId,
    payload: {},
    attempts: 1,
    waitedSeconds: 0,
    requestId: null,
  });
  const report = { refused: fail, defer: fail, away: fail };

  const gone = [...over, newId()].map(workOf);
  expect(await notices.handle(gone, report)).toEqual(gone.map(({ id }) => id));
  expect(started).toEqual([]);

  const mixed = [...over.slice(0, 3), waiting].map(workOf);
  expect((await notices.handle(mixed, report)).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(started).toHaveLength(1);
});

function fail(): never {
  throw new Error('Temporal was not asked');
}
