import { setTimeout as pause } from 'node:timers/promises';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { systemCause } from '../../activities/journal/cause';
import { beginRequeue } from '../../activities/webhooks/deliveries';
import { createWebhookActivities } from '../../activities/webhooks/activities';
import { nameLateProbes, type RetriesState } from '../../activities/webhooks/delivery/clock';
import { repairRequeues } from '../../activities/maintenance/requeues';
import { rememberRequeue } from '../../activities/webhooks/requeues';
import { repairWebhookDeliveries } from '../../activities/webhooks/repair';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, query, queryOne, type Tx } from '../../entities/database/sql';
import { activityInterceptors } from '../../workers/temporal/interceptors';
import type { Stoppable } from '../../runtime/process/process';
import { startWebhookDispatcher } from '../../workers/dispatcher/dispatcher';
import { changedSignalName, rangeSignalName, workflowIds } from '../../runtime/temporal/messages';
import type { OperatorNote } from '../../entities/rules/values/operator-note';
import { stopRequeueUpdate } from '../../workflows/requeue-dead-letters';
import {
  closeBreakerUpdate,
  giveUpUpdate,
  pauseUpdate,
  retryNowUpdate,
} from '../../workflows/webhook-retries';
import { openTestDeps, type TestDeps } from '../support/app';
import { buildMember } from '../support/build/accounts';
import {
  buildEndpoint,
  buildEvent,
  buildEvents,
  fanOutAll,
  seeDeliveries,
} from '../support/build/webhooks';
import { eventually, until as untilSo } from '../support/eventually';
import { carriedOn, firstRunOf, saveHistory } from '../support/workers/histories';
import { startSink, type Sink } from '../support/sink';
import { workflowBundle } from '../support/workers/workflow-bundle';

const taskQueue = `webhooks-test-${process.pid}`;

let deps: TestDeps;
let scope: Scope;
let sink: Sink;
let dispatcher: Stoppable;
let worker: Worker;
let running: Promise<void>;
let connection: NativeConnection;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  deps = await openTestDeps({
    WEBHOOK_TIMEOUT_MS: '3000',
    WEBHOOK_RETRY_SCHEDULE: '0s,4s,1s',
  });
  connection = await NativeConnection.connect({ address: deps.config.temporal.address });
  const activities = createWebhookActivities(deps);
  worker = await Worker.create({
    connection,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities,
    interceptors: { activity: [activityInterceptors(deps.log)] },
  });
  running = worker.run();
  dispatcher = startWebhookDispatcher(deps, { pollMs: 100 });
}, 60_000);

afterAll(async () => {
  await dispatcher.stop();
  worker.shutdown();
  await running;
  await connection.close();
  await deps.close();
});

beforeEach(async () => {
  const member = await buildMember(deps.db.manager);
  scope = { workspaceId: member.workspaceId, mode: 'test' };
  sink = await startSink();
});

afterEach(() => sink.close());

interface OutboxRow {
  id: number;
  topic: string;
  ref: string;
  payload: Record<string, unknown>;
}

/** Carries the webhook rows of the outbox to Temporal, as the relay does, on this test's queue. */
async function relay(): Promise<string[]> {
  const rows = await query<OutboxRow>(
    deps.db.manager,
    `DELETE FROM outbox WHERE topic IN ('webhook_retries', 'webhook_requeue')
     RETURNING id, topic, ref, payload`,
  );
  for (const { topic, ref, payload } of rows) {
    const { workflow } = deps.temporal.client;
    const common = { taskQueue, args: [{ endpointId: ref }] };
    if (topic === 'webhook_retries') {
      await workflow.signalWithStart('webhookRetries', {
        ...common,
        workflowId: workflowIds.webhookRetries(ref),
        signal: changedSignalName,
      });
    } else {
      await workflow.signalWithStart('requeueDeadLetters', {
        ...common,
        workflowId: workflowIds.webhookRequeue(ref),
        signal: rangeSignalName,
        signalArgs: [payload],
      });
    }
  }
  return rows.map(({ ref }) => ref);
}

/** Carries rows until one of this endpoint was among them. */
async function relayed(endpointId: string): Promise<void> {
  for (let turn = 0; turn < 400; turn += 1) {
    if ((await relay()).includes(endpointId)) return;
    await pause(25);
  }
  throw new Error('nothing was handed to the workflow');
}

function until(endpointId: string, status: string): Promise<void> {
  return untilSo(async () => {
    const rows = await seeDeliveries(deps, endpointId);
    return rows.length > 0 && rows.every((row) => row.status === status);
  });
}

function retriesOf(endpointId: string) {
  return deps.temporal.client.workflow.getHandle(workflowIds.webhookRetries(endpointId));
}

async function wakeAt(endpointId: string): Promise<Date | null | undefined> {
  const row = await queryOne<{ at: Date | null }>(
    deps.db.manager,
    `SELECT retries_wake_at AS at FROM webhook_endpoints WHERE id = $1`,
    [endpointId],
  );
  return row?.at;
}

describe('webhookRetries', () => {
  it('tries failed deliveries until they arrive, and ends', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    // However long the look at the state takes: the receiver is not mended before.
    let mend = (): void => undefined;
    const mended = new Promise<void>((resolve) => (mend = resolve));
    sink.answer((_request, response) => {
      const isFirst = sink.received.length <= 3;
      if (isFirst) response.writeHead(500).end('who is a@example.test?');
      else void mended.then(() => response.end());
    });
    for (let count = 0; count < 3; count += 1) await buildEvent(deps, scope);
    await sink.waitFor(3);
    await relayed(endpoint.id);
    const handle = retriesOf(endpoint.id);
    const state = await seen(endpoint.id);
    expect(state).toMatchObject({
      endpointId: endpoint.id,
      breakerOpen: false,
      lastError: 'The receiver answered 500.',
    });

    mend();
    await until(endpoint.id, 'succeeded');
    await handle.result();
    expect(await wakeAt(endpoint.id)).toBeNull();
    const history = await saveHistory(handle, 'webhook-retries');
    expect(history).toContain(endpoint.id);
    expect(history).not.toContain('example.test');
    expect(history).not.toContain(sink.url);
  });

  it('ends with the dead letters when nothing helps', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(503).end());
    await buildEvent(deps, scope);
    await sink.waitFor(1);
    await relayed(endpoint.id);
    await until(endpoint.id, 'dead_letter');
    await retriesOf(endpoint.id).result();
    const [row] = await seeDeliveries(deps, endpoint.id);
    expect(row?.attempts).toBe(3);
    expect(sink.received).toHaveLength(3);
  });

  it('begins again for a failure after its end', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    for (let round = 1; round <= 2; round += 1) {
      sink.answer((_request, response) => response.writeHead(500).end());
      await buildEvent(deps, scope);
      await sink.waitFor(2 * round - 1);
      await relayed(endpoint.id);
      sink.answer((_request, response) => response.end());
      await until(endpoint.id, 'succeeded');
      await retriesOf(endpoint.id).result();
    }
  });

  it('looks sooner when it is told that something may be due', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500, { 'retry-after': '900' }).end());
    await buildEvent(deps, scope);
    await sink.waitFor(1);
    await relayed(endpoint.id);
    expect((await seen(endpoint.id)).waitMs).toBeGreaterThan(600_000);

    sink.answer((_request, response) => response.writeHead(500).end());
    await buildEvent(deps, scope);
    await sink.waitFor(2);
    sink.answer((_request, response) => response.end());
    await relayed(endpoint.id);
    await eventually(async () => (await seen(endpoint.id)).waitMs < 60_000 || undefined);
    await sink.waitFor(3);
    expect(sink.received[2]?.body).toBe(sink.received[1]?.body);
    await retriesOf(endpoint.id).terminate('test over');
  });

  it('is started again by the sweeper when somebody terminated it', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500, { 'retry-after': '900' }).end());
    await buildEvent(deps, scope);
    await sink.waitFor(1);
    await relayed(endpoint.id);
    await seen(endpoint.id);
    await retriesOf(endpoint.id).terminate('an operator slipped');
    expect(
      await repairWebhookDeliveries(deps.db.manager, systemCause(deps.clock.now())),
    ).toMatchObject({
      woken: 0,
    });

    const later = new Date(deps.clock.now().getTime() + 20 * 60_000);
    const { woken } = await repairWebhookDeliveries(deps.db.manager, systemCause(later));
    expect(woken).toBeGreaterThanOrEqual(1);
    sink.answer((_request, response) => response.end());
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET next_attempt_at = now() WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    await execute(deps.db.manager, `UPDATE outbox SET available_at = now()`);
    await relayed(endpoint.id);
    await until(endpoint.id, 'succeeded');
  });

  it('goes on in a new history after many turns', async () => {
    let turns = 0;
    const activities = {
      advanceWebhookRetries: async ({
        endpointId,
      }: {
        endpointId: string;
      }): Promise<RetriesState> => {
        turns += 1;
        return Promise.resolve({
          endpointId,
          backlog: 1,
          nextAttemptAt: turns < 7 ? new Date().toISOString() : null,
          waitMs: 1,
          breakerOpen: true,
          failuresInRow: turns,
          lastError: null,
          pausedSince: null,
          road: null,
        });
      },
    };
    const queue = `${taskQueue}-turns`;
    const own = await Worker.create({
      connection,
      taskQueue: queue,
      workflowBundle: await workflowBundle(),
      activities,
    });
    const workflowId = `webhook-retries/turns-${process.pid}`;
    await own.runUntil(
      deps.temporal.client.workflow.execute('webhookRetries', {
        taskQueue: queue,
        workflowId,
        args: [{ endpointId: 'turns', roundsPerRun: 3 }],
      }),
    );
    expect(turns).toBe(7);
  });
});

describe('an operator at webhookRetries', () => {
  const note = { operator: 'op-17', reasonCode: 'RECEIVER_FIXED' } as const;
  const args: { args: [OperatorNote] } = { args: [note] };

  /** An endpoint whose retries are a quarter of an hour away, with its running workflow. */
  async function failing() {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500, { 'retry-after': '900' }).end());
    await buildEvent(deps, scope);
    await sink.waitFor(1);
    await relayed(endpoint.id);
    await seen(endpoint.id);
    return { endpoint, handle: retriesOf(endpoint.id) };
  }

  async function linesOf(id: string): Promise<unknown[]> {
    return query(
      deps.db.manager,
      `SELECT action, operator, reason_code AS "reasonCode" FROM audit_log
        WHERE target_id = $1 AND actor_type = 'operator' ORDER BY created_at, id`,
      [id],
    );
  }

  it('shows the attempts that are left before dead letter, and has the retry made now', async () => {
    const { endpoint, handle } = await failing();
    const [row] = await seeDeliveries(deps, endpoint.id);
    const { road } = await seen(endpoint.id);
    expect(road).toEqual({
      deliveryId: row?.id,
      attempts: 1,
      of: 3,
      nextAt: row?.nextAttemptAt?.toISOString(),
      lastStatus: 500,
    });
    sink.answer((_request, response) => response.end());
    expect(await handle.executeUpdate(retryNowUpdate, args)).toBe(1);
    await until(endpoint.id, 'succeeded');
    await handle.result();
    expect(await linesOf(endpoint.id)).toEqual([{ action: 'webhook.retried_now', ...note }]);
    await saveHistory(handle, 'webhook-retries.operator-retries');
  });

  it('pauses the retries until the endpoint answers well again', async () => {
    const { endpoint, handle } = await failing();
    await handle.executeUpdate(pauseUpdate, args);
    await eventually(async () => (await seen(endpoint.id)).pausedSince ?? undefined);
    await execute(
      deps.db.manager,
      'UPDATE webhook_deliveries SET next_attempt_at = now() WHERE endpoint_id = $1',
      [endpoint.id],
    );
    await handle.signal(changedSignalName);
    sink.answer((_request, response) => response.end());
    // The new delivery alone is tried; its success ends the pause, and the retry follows.
    await buildEvent(deps, scope);
    await nameLateProbes(deps);
    await sink.waitFor(2);
    const bodies = sink.received.map(({ body }) => body);
    expect(bodies[1]).not.toBe(bodies[0]);
    await relayed(endpoint.id);
    await until(endpoint.id, 'succeeded');
    await handle.result();
    await saveHistory(handle, 'webhook-retries.paused');
  });

  it('has a cancelled workflow stay away: the retries are paused, and no repair takes them up', async () => {
    const { endpoint, handle } = await failing();
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    await saveHistory(handle, 'webhook-retries.cancelled');
    const later = new Date(deps.clock.now().getTime() + 20 * 60_000);
    await repairWebhookDeliveries(deps.db.manager, systemCause(later));
    const work = await query(deps.db.manager, 'SELECT 1 FROM outbox WHERE ref = $1', [endpoint.id]);
    expect(work).toEqual([]);

    // Started by hand it watches, and takes the order to go on.
    const again = await deps.temporal.client.workflow.start('webhookRetries', {
      taskQueue,
      workflowId: workflowIds.webhookRetries(endpoint.id),
      args: [{ endpointId: endpoint.id }],
    });
    sink.answer((_request, response) => response.end());
    expect(await again.executeUpdate(retryNowUpdate, args)).toBe(1);
    await until(endpoint.id, 'succeeded');
    await again.result();
  });

  it('closes the breaker, so that what is due is sent', async () => {
    const { endpoint, handle } = await failing();
    await execute(
      deps.db.manager,
      `UPDATE webhook_endpoints SET failures_in_row = $2, next_probe_at = now() + interval '1 hour'
        WHERE id = $1`,
      [endpoint.id, deps.config.webhooks.breakerFailures],
    );
    await handle.signal(changedSignalName);
    await eventually(async () => (await seen(endpoint.id)).breakerOpen || undefined);
    sink.answer((_request, response) => response.end());
    await buildEvent(deps, scope);
    await handle.executeUpdate(closeBreakerUpdate, args);
    await sink.waitFor(2);
    expect(await linesOf(endpoint.id)).toEqual([{ action: 'webhook.breaker_closed', ...note }]);
    await handle.executeUpdate(retryNowUpdate, args);
    await handle.result();
  });

  it('gives all retries up, though the answer about the first of them was lost', async () => {
    const left = [500, 20, 0];
    const nothing = { backlog: 0, nextAttemptAt: null, waitMs: 0, breakerOpen: false, road: null };
    const state = { ...nothing, failuresInRow: 0, lastError: null, pausedSince: null };
    const activities = {
      // A repeated order answers nothing of what its first attempt did.
      orderWebhookRetries: () => Promise.resolve(0),
      giveUpMoreRetries: () => Promise.resolve(left.shift() ?? 0),
      advanceWebhookRetries: ({ endpointId }: { endpointId: string }) =>
        Promise.resolve({
          ...state,
          endpointId,
          ...(left.length > 0 && { nextAttemptAt: 'later', waitMs: 600_000 }),
        }),
    };
    const { own, queue } = await workerOf('given-up', activities);
    const handle = await deps.temporal.client.workflow.start('webhookRetries', {
      taskQueue: queue,
      workflowId: `webhook-retries/given-up-${process.pid}`,
      args: [{ endpointId: 'one' }],
    });
    const moved = own.runUntil(async () => {
      const answer = await handle.executeUpdate(giveUpUpdate, args);
      await handle.result();
      return answer;
    });
    expect(await moved).toBe(520);
  });

  it('gives the retries up, tells the merchant, and is refused for an endpoint that is off', async () => {
    const { endpoint, handle } = await failing();
    expect(await handle.executeUpdate(giveUpUpdate, args)).toBe(1);
    await handle.result();
    await saveHistory(handle, 'webhook-retries.given-up');
    const [row] = await seeDeliveries(deps, endpoint.id);
    expect(row).toMatchObject({ status: 'dead_letter', attempts: 1, nextAttemptAt: null });
    const notices = await query(
      deps.db.manager,
      `SELECT 1 FROM notifications WHERE feed_id = $1 AND type = 'webhook.dead_letter'`,
      [scope.workspaceId],
    );
    expect(notices).toHaveLength(1);

    const off = await failing();
    await execute(
      deps.db.manager,
      `UPDATE webhook_endpoints SET active_since = NULL WHERE id = $1`,
      [off.endpoint.id],
    );
    const refused = off.handle.executeUpdate(retryNowUpdate, args);
    await expect(refused).rejects.toMatchObject({ cause: { type: 'WEBHOOK_DEACTIVATED' } });
    await off.handle.terminate('the test is over');
  });
});

/** A worker of its own, whose activities are the test's. */
async function workerOf(name: string, activities: object): Promise<{ own: Worker; queue: string }> {
  const queue = `${taskQueue}-${name}`;
  const bundled = { workflowBundle: await workflowBundle(), activities };
  return { own: await Worker.create({ connection, taskQueue: queue, ...bundled }), queue };
}

describe('requeueDeadLetters', () => {
  it('queues more than a batch again, and joins requests that come meanwhile', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    await fanOutAll(deps, await buildEvents(deps, scope, 200));
    await until(endpoint.id, 'succeeded');
    await execute(
      deps.db.manager,
      `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
         replay_of, status, attempts, created_at, last_attempt_at)
       SELECT gen_random_uuid(), workspace_id, mode, endpoint_id, event_id, event_type, id,
         'dead_letter', 3, created_at, last_attempt_at
         FROM webhook_deliveries, generate_series(1, 13) WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const command = { endpointId: endpoint.id, since: null, firstDelayMs: 0 };
    const context = { scope, ...systemCause(deps.clock.now()) };
    expect(await beginRequeue(deps.db.manager, context, command)).toBe(2_600);
    await relayed(endpoint.id);
    const handle = deps.temporal.client.workflow.getHandle(workflowIds.webhookRequeue(endpoint.id));
    expect(await handle.result()).toBe(1_600);
    await saveHistory(handle, 'requeue-dead-letters');
    const left = await queryOne<{ count: number }>(
      deps.db.manager,
      `SELECT count(*) AS count FROM webhook_deliveries
        WHERE endpoint_id = $1 AND status = 'dead_letter'`,
      [endpoint.id],
    );
    expect(left?.count).toBe(0);
  });

  it('goes on in a new history, with the ranges that are left and the count so far', async () => {
    const batches: (string | null)[] = [];
    const activities = {
      requeueDeadLetterBatch: ({ since }: { since: string | null }): Promise<number> => {
        batches.push(since);
        return Promise.resolve(batches.length % 3 === 0 ? 0 : 10);
      },
    };
    const { own, queue } = await workerOf('batches', activities);
    const [one, two] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
    const ranges = [one, two].map((since) => ({ since, until: '2026-03-01T00:00:00.000Z' }));
    const handle = await deps.temporal.client.workflow.start('requeueDeadLetters', {
      taskQueue: queue,
      workflowId: `webhook-requeue/batches-${process.pid}`,
      args: [{ endpointId: 'batches', ranges, batchesPerRun: 4 }],
    });
    expect(await own.runUntil(handle.result())).toBe(40);
    expect(batches).toEqual([one, one, one, two, two, two]);
    const first = firstRunOf(deps.temporal.client, handle);
    const next = { endpointId: 'batches', ranges: ranges.slice(1), queued: 30, batchesPerRun: 4 };
    expect(await carriedOn(first)).toEqual(next);
    await saveHistory(first, 'requeue-dead-letters.continued');
  });

  it('stops when an operator says so, and answers how many it queued', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const context = { scope, ...systemCause(deps.clock.now()) };
    await rememberRequeue(deps.db.manager as Tx, context, {
      endpointId: endpoint.id,
      since: null,
      until: new Date(),
    });
    await execute(deps.db.manager, `DELETE FROM outbox WHERE topic = 'webhook_requeue'`);
    const handle = await deps.temporal.client.workflow.start('requeueDeadLetters', {
      workflowId: workflowIds.webhookRequeue(endpoint.id),
      taskQueue,
      args: [{ endpointId: endpoint.id, ranges: [{ since: null, until: 'soon' }], queued: 7 }],
    });
    const note = { operator: 'op-17', reasonCode: 'RECEIVER_BROKEN' } as const;
    expect(await handle.executeUpdate(stopRequeueUpdate, { args: [note] })).toBe(7);
    const lines = await query(
      deps.db.manager,
      `SELECT operator FROM audit_log WHERE target_id = $1 AND action = 'webhook.requeue_stopped'`,
      [endpoint.id],
    );
    expect(lines).toEqual([{ operator: 'op-17' }]);
    expect(
      await query(deps.db.manager, 'SELECT 1 FROM webhook_requeues WHERE endpoint_id = $1', [
        endpoint.id,
      ]),
    ).toEqual([]);
    expect(await handle.result()).toBe(7);
    await saveHistory(handle, 'requeue-dead-letters.stopped');
  });

  it('counts the batch that was under way when an operator stops it', async () => {
    let release = (_count: number): void => undefined;
    const batch = new Promise<number>((resolve) => (release = resolve));
    let begun = false;
    const activities = {
      // The next one, which may begin before the stop is heard of, finds none.
      requeueDeadLetterBatch: () => {
        if (begun) return Promise.resolve(0);
        begun = true;
        return batch;
      },
      stopRequeueAsOperator: () => Promise.resolve(release(300)),
    };
    const { own, queue } = await workerOf('stopped', activities);
    const handle = await deps.temporal.client.workflow.start('requeueDeadLetters', {
      taskQueue: queue,
      workflowId: `webhook-requeue/under-way-${process.pid}`,
      args: [{ endpointId: 'one', ranges: [{ since: null, until: 'now' }], queued: 7 }],
    });
    const note = { operator: 'op-17', reasonCode: 'RECEIVER_BROKEN' } as const;
    const stopped = await own.runUntil(async () => {
      await untilSo(() => begun);
      return handle.executeUpdate(stopRequeueUpdate, { args: [note] });
    });
    expect(stopped).toBe(307);
  });

  it('stops when an operator cancels it: what is left is forgotten, and no repair takes it up', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const context = { scope, ...systemCause(new Date(Date.now() - 11 * 60_000)) };
    const range = { endpointId: endpoint.id, since: null, until: new Date() };
    await rememberRequeue(deps.db.manager as Tx, context, range);
    await execute(deps.db.manager, `DELETE FROM outbox WHERE topic = 'webhook_requeue'`);
    expect(await repairRequeues(deps)).toBe(1);
    // A batch with a range that no database understands is tried again and again.
    const handle = await deps.temporal.client.workflow.start('requeueDeadLetters', {
      workflowId: workflowIds.webhookRequeue(endpoint.id),
      taskQueue,
      args: [{ endpointId: endpoint.id, ranges: [{ since: null, until: 'soon' }] }],
    });
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    await saveHistory(handle, 'requeue-dead-letters.cancelled');
    const kept = await query(
      deps.db.manager,
      'SELECT 1 FROM webhook_requeues WHERE endpoint_id = $1',
      [endpoint.id],
    );
    expect(kept).toEqual([]);
  });
});

/** The first state that the workflow of an endpoint shows. */
async function seen(endpointId: string): Promise<RetriesState> {
  for (let turn = 0; turn < 200; turn += 1) {
    const state = (await retriesOf(endpointId)
      .query('state')
      .catch(() => null)) as RetriesState | null;
    if (state) return state;
    await pause(25);
  }
  throw new Error('the workflow shows no state');
}
