import type { Client } from '@temporalio/client';
import { outboxTopics, type OutboxTopic } from '../../activities/journal/outbox';
import { newId } from '../../entities/ids';
import { shownEventType } from '../../entities/rules/billers';
import { taskQueues, type TaskQueue } from '../../runtime/temporal/messages';
import { relayHandlers } from '../../workers/relay/handlers';
import { searchKeys } from '../../runtime/temporal/search-attributes';
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

/** Deps with a stand-in for Temporal, which keeps with what it was asked to start. */
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

/** Where the workflow of a topic runs; null for those that have none. */
const queues: Record<OutboxTopic, TaskQueue | null> = {
  event_deliveries: null,
  event_notices: null,
  feed: null,
  stripe_payment: null,
  credit: null,
  commission: 'commissions',
  mail: 'mail',
  notice_mail: 'mail',
  stripe_event: 'stripe',
  webhook_retries: 'webhooks',
  unsubscribed_kinds: null,
  terms_changed: null,
  terms_edited: null,
  workspace_closing: null,
  standing: null,
  biller_code: 'stripe',
  webhook_requeue: 'bulk',
  payout_batch: 'payouts',
  test_reset: 'bulk',
  import: 'bulk',
};

it.each(outboxTopics.flatMap((topic) => (queues[topic] ? [[topic, queues[topic]] as const] : [])))(
  'operators find the workflow of %s by its merchant on the queue %s, and read what it is about',
  async (topic, queue) => {
    const started: Started[] = [];
    const { workspaceId } = await buildMember(deps.db.manager);
    const program = await buildProgram(deps.db.manager, { workspaceId, mode: 'test' });
    const participant = await buildParticipant(deps.db.manager, { program });
    const commission = await buildCommission(deps.db.manager, { program, participant });
    const isMail = topic === 'mail' || topic === 'notice_mail';
    // What a biller calls its events is told by the outbox, in words that we know.
    const type = 'no known type';
    const told = topic === 'stripe_event' ? shownEventType('stripe', type) : type;
    const work = {
      id: 1,
      ref: topic === 'commission' ? commission.id : newId(),
      workspaceId,
      payload: { mode: 'test', type: told, until: new Date().toISOString() },
      // A mail has a workflow only if it was tried before.
      attempts: isMail ? 2 : 1,
      deferrals: 0,
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
  for (const topic of ['commission', 'webhook_retries'] as const) {
    expect(handlers[topic].claimSize).toBe(size);
  }
});

function fail(): never {
  throw new Error('Temporal was not asked');
}
