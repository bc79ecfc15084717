import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { startWebhookDispatcher, type Dispatcher } from '../../workers/webhook-dispatcher';
import { createWebhookRuntime } from '../../activities/runtime/outbound/webhook-capacity';
import { systemCause, type CommandContext } from '../../activities/journal/cause';
import { deleteEndpoint, updateEndpoint } from '../../activities/webhooks/endpoints';
import { beginRequeue, replayDelivery, retryDelivery } from '../../activities/webhooks/deliveries';
import { leasesOf } from '../../activities/webhooks/delivery/leases';
import { runRetries } from '../../activities/webhooks/delivery/run-retries';
import { rotateSecret } from '../../activities/webhooks/rotate-secret';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, query, queryOne } from '../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../support/app';
import { buildMember } from '../support/build/accounts';
import {
  buildEndpoint,
  buildEvent,
  buildEvents,
  fanOutAll,
  seeDeliveries,
} from '../support/build/webhooks';
import { asOwner } from '../support/database';
import { eventually } from '../support/eventually';
import { startSink, type Sink } from '../support/sink';

let deps: TestDeps;
let sink: Sink;
let scope: Scope;
let dispatcher: Dispatcher | undefined;

beforeAll(async () => {
  deps = await openTestDeps({
    WEBHOOK_TIMEOUT_MS: '400',
    WEBHOOK_BREAKER_FAILURES: '5',
    WEBHOOK_RETRY_SCHEDULE: '0s,5s,5m',
  });
});

afterAll(() => deps.close());

beforeEach(async () => {
  deps.clock.set(undefined);
  const member = await buildMember(deps.db.manager);
  scope = { workspaceId: member.workspaceId, mode: 'test' };
  sink = await startSink();
});

afterEach(async () => {
  await dispatcher?.stop();
  dispatcher = undefined;
  await asOwner(deps.config.databaseUrl, 'DELETE FROM webhook_deliveries');
  await execute(deps.db.manager, `UPDATE webhook_endpoints SET failures_in_row = 0`);
  await sink.close();
});

function start(): void {
  dispatcher = startWebhookDispatcher(deps, { pollMs: 100 });
}

const context = (): CommandContext => ({ scope, ...systemCause(deps.clock.now()) });

/** Waits until the rows of an endpoint are as a test wants them. */
async function settled(
  endpointId: string,
  done: (rows: Awaited<ReturnType<typeof seeDeliveries>>) => boolean,
) {
  for (let turn = 0; turn < 200; turn += 1) {
    const rows = await seeDeliveries(deps, endpointId);
    if (done(rows)) return rows;
    await pause(25);
  }
  throw new Error(`not settled: ${JSON.stringify(await seeDeliveries(deps, endpointId))}`);
}

const allAre =
  (status: string) =>
  (rows: { status: string }[]): boolean =>
    rows.length > 0 && rows.every((row) => row.status === status);

describe('a first attempt', () => {
  it('posts the envelope with both signatures, and is written down', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const eventId = await buildEvent(deps, scope);
    start();
    const [received] = await sink.waitFor(1);
    const payload = new Webhook(endpoint.signingSecret).verify(
      received?.body ?? '',
      received?.headers ?? {},
    );
    expect(payload).toMatchObject({
      id: `evt_${eventId}`,
      type: 'commission.created',
      api_version: 'v1',
      mode: 'test',
      sequence: expect.any(Number) as number,
      data: { object: { currency: 'usd' } },
    });
    expect(received?.headers['webhook-id']).toBe(`evt_${eventId}`);
    expect(received?.headers['content-type']).toBe('application/json');
    expect(received?.headers['user-agent']).toBeTruthy();

    const [row] = await settled(endpoint.id, allAre('succeeded'));
    expect(row).toMatchObject({
      attempts: 1,
      httpStatusCode: 200,
      errorMessage: null,
      responseBody: 'ok',
      nextAttemptAt: null,
      leaseToken: null,
    });
    const log = await query(
      deps.db.manager,
      `SELECT attempt, http_status_code FROM webhook_attempts WHERE delivery_id = $1`,
      [row?.id],
    );
    expect(log).toEqual([{ attempt: 1, http_status_code: 200 }]);
  });

  it('comes at once, woken by the commit', async () => {
    await buildEndpoint(deps, scope, { url: sink.url });
    dispatcher = startWebhookDispatcher(deps, { pollMs: 60_000 });
    await pause(200);
    const began = Date.now();
    await buildEvent(deps, scope);
    await sink.waitFor(1);
    expect(Date.now() - began).toBeLessThan(1_000);
  });

  it('goes to those who were active and subscribed when it happened, and still are', async () => {
    const at = new Date(deps.clock.now().getTime() - 60_000);
    const before = new Date(at.getTime() - 60_000);
    const after = new Date(at.getTime() + 1);
    const url = sink.url;
    const wanted = await buildEndpoint(deps, scope, { url, at: before });
    const exact = await buildEndpoint(deps, scope, { url, at, events: ['commission.created'] });
    const others = [
      await buildEndpoint(deps, scope, { url, at: after }),
      await buildEndpoint(deps, scope, { url, at: before, events: ['payout.created'] }),
      await buildEndpoint(deps, { ...scope, mode: 'live' }, { url, at: before }),
    ];
    const off = await buildEndpoint(deps, scope, { url, at: before });
    await updateEndpoint(deps.db.manager, context(), { endpointId: off.id, active: false });
    const backAgain = await buildEndpoint(deps, scope, { url, at: before });
    for (const active of [false, true]) {
      const endpointId = backAgain.id;
      await updateEndpoint(deps.db.manager, context(), { endpointId, active });
    }
    const lateKind = await buildEndpoint(deps, scope, {
      url,
      at: before,
      events: ['payout.created'],
    });
    await updateEndpoint(deps.db.manager, context(), {
      endpointId: lateKind.id,
      events: ['payout.created', 'commission.created'],
    });
    await buildEvent(deps, scope, { at });

    for (const { id } of [wanted, exact]) expect(await seeDeliveries(deps, id)).toHaveLength(1);
    for (const { id } of [...others, off, backAgain, lateKind]) {
      expect(await seeDeliveries(deps, id)).toHaveLength(0);
    }
  });

  it('is made once for an event that is relayed twice', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const eventId = await buildEvent(deps, scope);
    expect(await fanOutAll(deps, [eventId])).toBe(0);
    expect(await seeDeliveries(deps, endpoint.id)).toHaveLength(1);
  });

  it('has at most eight companions under way to one endpoint', async () => {
    await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => setTimeout(() => response.end(), 20));
    await fanOutAll(deps, await buildEvents(deps, scope, 60));
    start();
    await sink.waitFor(60);
    expect(sink.mostOpen).toBeLessThanOrEqual(8);
    expect(sink.mostOpen).toBeGreaterThan(4);
  });

  it('shares these places with the other dispatchers of the fleet, and with retries', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => setTimeout(() => response.end(), 20));
    await fanOutAll(deps, await buildEvents(deps, scope, 150));
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1 WHERE id IN
         (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT 50)`,
      [endpoint.id],
    );
    // Each with places of its own, as in processes of their own.
    const processes = [1, 2, 3].map(() => ({
      ...deps,
      webhooks: createWebhookRuntime(deps.config.webhooks),
    }));
    const dispatchers = processes.slice(1).map((own) => startWebhookDispatcher(own));
    const [retrier] = processes as [TestDeps];
    for (let turn = 0; turn < 200 && sink.received.length < 150; turn += 1) {
      await runRetries(retrier, endpoint.id, { callMs: 200 });
      await pause(5);
    }
    await sink.waitFor(150);
    await Promise.all(dispatchers.map((one) => one.stop()));
    // Retries and first attempts that are claimed in the same instant may overlap for one answer.
    expect(sink.mostOpen).toBeLessThanOrEqual(16);
    await settled(endpoint.id, allAre('succeeded'));
    expect(sink.received).toHaveLength(150);
  });

  it('has eight companions at most whichever dispatcher sends it', async () => {
    await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => setTimeout(() => response.end(), 10));
    await fanOutAll(deps, await buildEvents(deps, scope, 200));
    const dispatchers = [1, 2, 3].map(() =>
      startWebhookDispatcher({ ...deps, webhooks: createWebhookRuntime(deps.config.webhooks) }),
    );
    await sink.waitFor(200);
    await Promise.all(dispatchers.map((one) => one.stop()));
    expect(sink.mostOpen).toBeLessThanOrEqual(8);
    expect(sink.mostOpen).toBeGreaterThan(4);
    expect(sink.received).toHaveLength(200);
  });

  it('does not wait for an endpoint that hangs, on the same host neither', async () => {
    const hanging = await startSink();
    hanging.answer(() => undefined);
    await buildEndpoint(deps, scope, { url: hanging.url });
    sink.answer((request, response) => {
      if (request.path === '/hang') return;
      response.end();
    });
    await buildEndpoint(deps, scope, { url: sink.url.replace('/hook', '/hang') });
    await buildEndpoint(deps, scope, { url: sink.url });
    await fanOutAll(deps, await buildEvents(deps, scope, 100));
    start();
    const began = Date.now();
    for (;;) {
      const healthy = sink.received.filter(({ path }) => path === '/hook').length;
      if (healthy === 100) break;
      if (Date.now() - began > 5_000) throw new Error(`only ${healthy} came`);
      await pause(10);
    }
    expect(Date.now() - began).toBeLessThan(3_000);
    await hanging.close();
  });
});

describe('a workspace whose endpoints hang', () => {
  const endpointsOf = async (count: number, path: string) => {
    const own = { ...scope, workspaceId: (await buildMember(deps.db.manager)).workspaceId };
    const url = sink.url.replace('/hook', path);
    for (let n = 0; n < count; n += 1) {
      // Ten a mode.
      await buildEndpoint(deps, { ...own, mode: n % 2 === 0 ? 'test' : 'live' }, { url });
    }
    return own;
  };
  const eventsIn = async (own: Scope, count: number) => {
    for (const mode of ['test', 'live'] as const) {
      await fanOutAll(deps, await buildEvents(deps, { ...own, mode }, count));
    }
  };
  const openOf = (path: string) => sink.received.filter((request) => request.path === path).length;

  it('leaves the places of first attempts to the others, in every turn', async () => {
    sink.answer((request, response) => void (request.path === '/hook' && response.end()));
    const hanging = await endpointsOf(20, '/hang');
    await eventsIn(hanging, 8);
    dispatcher = startWebhookDispatcher(deps, { pollMs: 20 });
    await sink.waitFor(80);
    const claimed = await query<{ count: number }>(
      deps.db.manager,
      `SELECT count(*) FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE e.workspace_id = $1 AND d.lease_until IS NOT NULL`,
      [hanging.workspaceId],
    );
    expect(claimed[0]?.count).toBeLessThanOrEqual(80);
    const healthy = await endpointsOf(2, '/hook');
    await eventsIn(healthy, 20);
    await eventually(() => Promise.resolve(openOf('/hook') === 40 || undefined));
  });

  it('holds no turn of the retries, which have their answer later', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer(() => undefined);
    await fanOutAll(deps, await buildEvents(deps, scope, 3));
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1`,
    );
    const began = performance.now();
    const state = await runRetries(deps, endpoint.id, { patienceMs: 20 });
    expect(performance.now() - began).toBeLessThan(350);
    expect(state).toMatchObject({ backlog: 3, breakerOpen: false });
    // Not before what hangs has ended.
    expect(state.waitMs).toBeGreaterThan(300);
    expect(sink.received).toHaveLength(3);
    await deps.webhooks.places.empty();
    const rows = await seeDeliveries(deps, endpoint.id);
    expect(rows.map(({ attempts, errorMessage }) => [attempts, errorMessage])).toEqual(
      Array(3).fill([2, 'No answer within 400 ms.']),
    );
  });

  it('is probed once behind its open breaker, however often its workflow looks', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer(() => undefined);
    await fanOutAll(deps, await buildEvents(deps, scope, 3));
    await execute(deps.db.manager, `UPDATE webhook_endpoints SET failures_in_row = 5`);
    for (let turn = 0; turn < 3; turn += 1) await runRetries(deps, endpoint.id, { patienceMs: 20 });
    expect(sink.received).toHaveLength(1);
    await deps.webhooks.places.empty();
  });

  it('that is only slow is looked after as soon as it has answered', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const answers: (() => void)[] = [];
    sink.answer((_request, response) => answers.push(() => response.end()));
    await fanOutAll(deps, await buildEvents(deps, scope, 1));
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1`,
    );
    await runRetries(deps, endpoint.id, { patienceMs: 20 });
    await execute(deps.db.manager, `DELETE FROM outbox`);
    await sink.waitFor(1);
    answers.forEach((answer) => answer());
    await deps.webhooks.places.empty();
    expect(
      await query(deps.db.manager, `SELECT topic FROM outbox WHERE ref = $1`, [endpoint.id]),
    ).toEqual([{ topic: 'webhook_retries' }]);
  });
});

describe('retries', () => {
  const retrying = (endpointId: string, count: number) =>
    execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1 WHERE id IN
         (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT $2)`,
      [endpointId, count],
    );

  it('that are due have a place beside a full line of first attempts', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const answers: (() => void)[] = [];
    sink.answer((_request, response) => answers.push(() => response.end()));
    await fanOutAll(deps, await buildEvents(deps, scope, 30));
    await retrying(endpoint.id, 1);
    start();
    await sink.waitFor(7);
    const state = await runRetries(deps, endpoint.id, { patienceMs: 20 });
    await sink.waitFor(8);
    expect(sink.mostOpen).toBe(8);
    expect(state.backlog).toBe(30);
    const [retried] = await query<{ leased: boolean }>(
      deps.db.manager,
      `SELECT lease_until IS NOT NULL AS leased FROM webhook_deliveries WHERE status = 'retrying'`,
    );
    expect(retried).toEqual({ leased: true });
    await dispatcher?.stop();
    answers.forEach((answer) => answer());
    await deps.webhooks.places.empty();
  });

  it('that find no place wait for one, and do not ask twice a second', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    await fanOutAll(deps, await buildEvents(deps, scope, 9));
    await retrying(endpoint.id, 1);
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(),
         lease_until = now() + interval '1 minute' WHERE status = 'pending'`,
    );
    const state = await runRetries(deps, endpoint.id);
    expect(sink.received).toHaveLength(0);
    expect(state.waitMs).toBeGreaterThan(4_500);
    expect(state.waitMs).toBeLessThanOrEqual(5_000);
  });

  it('end their call knowing what has ended meanwhile', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const answers: (() => void)[] = [];
    sink.answer((_request, response) => answers.push(() => response.end()));
    await fanOutAll(deps, await buildEvents(deps, scope, 10));
    await retrying(endpoint.id, 10);
    const { webhooks } = deps.config;
    const config = { ...deps.config, webhooks: { ...webhooks, timeoutMs: 15_000 } };
    // What hangs ends between the last batch and the transaction that ends the call.
    const db = Object.create(deps.db) as TestDeps['db'];
    db.transaction = async (...args: unknown[]) => {
      await sink.waitFor(8);
      answers.forEach((answer) => answer());
      await deps.webhooks.places.empty();
      const begin = deps.db.transaction.bind(deps.db) as (...given: unknown[]) => Promise<never>;
      return begin(...args);
    };
    const state = await runRetries({ ...deps, config, db }, endpoint.id, { patienceMs: 20 });
    expect(state).toMatchObject({ backlog: 2, waitMs: 500 });
  });

  it('that cannot be written down give back what has ended, and hold what goes on', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const hanging: (() => void)[] = [];
    sink.answer((_request, response) => {
      if (sink.received.length > 1) hanging.push(() => response.end());
      else response.end();
    });
    await fanOutAll(deps, await buildEvents(deps, scope, 2));
    await retrying(endpoint.id, 2);
    const refusal = 'ck_no_attempts CHECK (false) NOT VALID';
    await asOwner(
      deps.config.databaseUrl,
      `ALTER TABLE webhook_attempts ADD CONSTRAINT ${refusal}`,
    );
    try {
      await expect(runRetries(deps, endpoint.id, { patienceMs: 100 })).rejects.toThrow(
        'ck_no_attempts',
      );
      expect(leasesOf(deps).ids()).toHaveLength(1);
      hanging.forEach((answer) => answer());
      await pause(200);
    } finally {
      await asOwner(
        deps.config.databaseUrl,
        'ALTER TABLE webhook_attempts DROP CONSTRAINT ck_no_attempts',
      );
    }
    await deps.webhooks.places.empty();
    const rows = await seeDeliveries(deps, endpoint.id);
    expect(rows.map(({ status }) => status).sort()).toEqual(['retrying', 'succeeded']);
    expect(leasesOf(deps).ids()).toEqual([]);
  });
});

describe('a stop', () => {
  it('leaves what hangs to its lease, in time, and writes nothing down for it', async () => {
    const own = await openTestDeps({ WEBHOOK_TIMEOUT_MS: '15000', SHUTDOWN_TIMEOUT_MS: '1000' });
    const member = await buildMember(own.db.manager);
    const there = { workspaceId: member.workspaceId, mode: 'test' } as const;
    const endpoint = await buildEndpoint(own, there, { url: sink.url });
    sink.answer(() => undefined);
    await fanOutAll(own, await buildEvents(own, there, 2));
    await execute(
      own.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1
        WHERE id = (SELECT max(id::text)::uuid FROM webhook_deliveries)`,
    );
    const leaving = startWebhookDispatcher(own, { pollMs: 100 });
    await sink.waitFor(1);
    await runRetries(own, endpoint.id, { patienceMs: 1 });
    const began = performance.now();
    await leaving.stop();
    expect(performance.now() - began).toBeLessThan(900);
    // The process closes its connections now, which ends the attempts.
    await own.webhooks.http.close();
    await own.webhooks.places.empty();
    const rows = await seeDeliveries(own, endpoint.id);
    expect(rows.map(({ attempts, leaseToken }) => [attempts, leaseToken !== null]).sort()).toEqual([
      [0, true],
      [1, true],
    ]);
    await own.close();
  });
});

describe('a failed attempt', () => {
  it('waits for its retry, and wakes the workflow once', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500).end('no'));
    await buildEvent(deps, scope);
    await buildEvent(deps, scope);
    start();
    const rows = await settled(endpoint.id, allAre('retrying'));
    for (const row of rows) {
      expect(row).toMatchObject({
        attempts: 1,
        httpStatusCode: 500,
        errorMessage: 'The receiver answered 500.',
        responseBody: 'no',
      });
      const wait = (row.nextAttemptAt?.getTime() ?? 0) - deps.clock.now().getTime();
      expect(wait).toBeGreaterThan(2_500);
      expect(wait).toBeLessThan(6_001);
    }
    const wakes = await query(deps.db.manager, `SELECT id FROM outbox WHERE ref = $1`, [
      endpoint.id,
    ]);
    expect(wakes.length).toBeGreaterThanOrEqual(1);
    expect(wakes.length).toBeLessThanOrEqual(2);
  });

  it('is a timeout when the receiver hangs', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer(() => undefined);
    await buildEvent(deps, scope);
    start();
    const [row] = await settled(endpoint.id, allAre('retrying'));
    expect(row).toMatchObject({ httpStatusCode: null, errorMessage: 'No answer within 400 ms.' });
  });

  it('disables the endpoint on 410, and cancels what waits for it', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(410).end());
    await fanOutAll(deps, await buildEvents(deps, scope, 30));
    start();
    await settled(endpoint.id, allAre('cancelled'));
    const row = await queryOne<{ active_since: Date | null; disabled_reason: string }>(
      deps.db.manager,
      `SELECT active_since, disabled_reason FROM webhook_endpoints WHERE id = $1`,
      [endpoint.id],
    );
    expect(row).toEqual({ active_since: null, disabled_reason: 'The receiver answered 410 Gone.' });
    const mails = await query(deps.db.manager, `SELECT type FROM mails WHERE workspace_id = $1`, [
      scope.workspaceId,
    ]);
    expect(mails).toEqual([{ type: 'webhook.disabled' }]);

    await updateEndpoint(deps.db.manager, context(), {
      endpointId: endpoint.id,
      active: true,
    });
    expect(
      await queryOne(
        deps.db.manager,
        `SELECT disabled_reason FROM webhook_endpoints WHERE id = $1`,
        [endpoint.id],
      ),
    ).toEqual({ disabled_reason: null });
  });
});

describe('an endpoint that goes away mid-way', () => {
  it.each(['deactivated', 'deleted'])(
    '%s: everything is cancelled, and nothing more is sent',
    async (how) => {
      const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
      sink.answer((_request, response) => setTimeout(() => response.end(), 100));
      await fanOutAll(deps, await buildEvents(deps, scope, 50));
      start();
      await sink.waitFor(3);
      const change = { endpointId: endpoint.id };
      if (how === 'deleted') await deleteEndpoint(deps.db.manager, context(), change);
      else await updateEndpoint(deps.db.manager, context(), { ...change, active: false });

      const sent = sink.received.length;
      await pause(400);
      expect(sink.received.length - sent).toBeLessThanOrEqual(8);
      const rows = await seeDeliveries(deps, endpoint.id);
      expect(rows.filter(({ status }) => status === 'cancelled').length).toBeGreaterThan(30);
      expect(rows.every(({ status }) => ['cancelled', 'succeeded'].includes(status))).toBe(true);
      expect(rows.every(({ leaseToken }) => leaseToken === null)).toBe(true);
    },
  );
});

describe('a rotation', () => {
  it('takes effect at the next attempt; an overlap signs with both secrets until it ends', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    start();
    const { manager } = deps.db;
    const rotate = (overlapHours: number) =>
      rotateSecret({ db: manager, vault: deps.vault }, context(), {
        endpointId: endpoint.id,
        overlapHours,
      });
    const next = async () => {
      const count = sink.received.length;
      await buildEvent(deps, scope);
      return (await sink.waitFor(count + 1))[count];
    };
    const accepts = (secret: string, received: Awaited<ReturnType<typeof next>>): boolean => {
      const signed = `${received?.headers['webhook-id']}.${received?.headers['webhook-timestamp']}`;
      const at = new Date(Number(signed.split('.')[1]) * 1_000);
      const expected = new Webhook(secret).sign(
        received?.headers['webhook-id'] ?? '',
        at,
        received?.body ?? '',
      );
      return received?.headers['webhook-signature']?.split(' ').includes(expected) ?? false;
    };

    const second = await rotate(1);
    const during = await next();
    expect([accepts(endpoint.signingSecret, during), accepts(second, during)]).toEqual([
      true,
      true,
    ]);

    deps.clock.advance(60 * 60 * 1_000 + 1);
    const after = await next();
    expect([accepts(endpoint.signingSecret, after), accepts(second, after)]).toEqual([false, true]);

    const third = await rotate(24);
    const fourth = await rotate(0);
    const last = await next();
    expect([accepts(second, last), accepts(third, last), accepts(fourth, last)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the retries of an endpoint', () => {
  it('go out when they are due, keep their webhook-id, and succeed', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(503).end());
    await buildEvent(deps, scope);
    start();
    await settled(endpoint.id, allAre('retrying'));
    const early = await runRetries(deps, endpoint.id);
    expect(early).toMatchObject({ backlog: 1, breakerOpen: false, failuresInRow: 1 });
    expect(early.waitMs).toBeGreaterThan(2_000);
    expect(sink.received).toHaveLength(1);

    deps.clock.advance(7_000);
    sink.answer((_request, response) => response.end());
    const done = await runRetries(deps, endpoint.id);
    expect(done).toMatchObject({ backlog: 0, nextAttemptAt: null, failuresInRow: 0 });
    const [first, second] = sink.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  });

  it('end in dead_letter, tell so once, and count on after a retry by hand', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500).end());
    await buildEvent(deps, scope);
    start();
    await settled(endpoint.id, allAre('retrying'));
    for (const wait of [7_000, 7 * 60_000]) {
      deps.clock.advance(wait);
      await runRetries(deps, endpoint.id);
    }
    const [dead] = await settled(endpoint.id, allAre('dead_letter'));
    expect(dead).toMatchObject({ attempts: 3, nextAttemptAt: null });
    const mails = await query(deps.db.manager, `SELECT type FROM mails WHERE workspace_id = $1`, [
      scope.workspaceId,
    ]);
    expect(mails).toEqual([{ type: 'webhook.dead_letter' }]);

    sink.answer((_request, response) => response.end());
    const again = { endpointId: endpoint.id, deliveryId: dead?.id ?? '', firstDelayMs: 0 };
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => retryDelivery(deps.db.manager, context(), again)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [row] = await settled(endpoint.id, allAre('succeeded'));
    expect(row).toMatchObject({ id: dead?.id, attempts: 4 });
    await expect(retryDelivery(deps.db.manager, context(), again)).rejects.toMatchObject({
      code: 'WEBHOOK_DELIVERY_NOT_DEAD_LETTER',
    });
  });

  it('wait as long as Retry-After asks', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    await buildEvent(deps, scope);
    start();
    const [row] = await settled(endpoint.id, allAre('retrying'));
    const wait = (row?.nextAttemptAt?.getTime() ?? 0) - deps.clock.now().getTime();
    expect(wait).toBeGreaterThan(3_590_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  it('are one probe at a time behind an open breaker, and all after the first success', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500).end());
    await fanOutAll(deps, await buildEvents(deps, scope, 40));
    start();
    await settled(endpoint.id, (rows) => rows.filter(({ attempts }) => attempts > 0).length >= 5);
    await pause(300);
    const tried = sink.received.length;
    expect(tried).toBeLessThanOrEqual(16);

    const resting = await runRetries(deps, endpoint.id);
    expect(resting).toMatchObject({ breakerOpen: true });
    expect(resting.waitMs).toBeLessThanOrEqual(60_000);
    expect(sink.received).toHaveLength(tried);

    deps.clock.advance(60_000);
    await runRetries(deps, endpoint.id);
    expect(sink.received).toHaveLength(tried + 1);
    const waiting = (await seeDeliveries(deps, endpoint.id)).filter(
      ({ attempts }) => attempts === 0,
    );
    expect(waiting.length).toBeGreaterThan(20);

    sink.answer((_request, response) => response.end());
    deps.clock.advance(60_000);
    await runRetries(deps, endpoint.id);
    // First attempts of the dispatcher take all places of the endpoint for a moment.
    await settled(endpoint.id, (rows) => rows.every(({ status }) => status !== 'pending'));
    deps.clock.advance(10 * 60_000);
    await runRetries(deps, endpoint.id);
    await settled(endpoint.id, allAre('succeeded'));
  });

  it('close the breaker of a receiver that refuses whatever it sees for the first time', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    const seen = new Set<string>();
    sink.answer((request, response) => {
      const id = String(request.headers['webhook-id']);
      response.writeHead(seen.has(id) ? 200 : 500).end();
      seen.add(id);
    });
    await fanOutAll(deps, await buildEvents(deps, scope, 40));
    start();
    await settled(endpoint.id, (rows) => rows.filter(({ attempts }) => attempts > 0).length >= 5);
    let state = await runRetries(deps, endpoint.id);
    for (let minute = 0; minute < 3 && state.breakerOpen; minute += 1) {
      deps.clock.advance(60_000);
      state = await runRetries(deps, endpoint.id);
    }
    expect(state.breakerOpen).toBe(false);
  });

  it('are probed before they are due when nothing else is, without using up attempts', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500, { 'retry-after': '7200' }).end());
    await fanOutAll(deps, await buildEvents(deps, scope, 6));
    start();
    await settled(endpoint.id, (rows) => rows.every(({ attempts }) => attempts > 0));
    sink.answer((_request, response) => response.writeHead(500).end());
    const tried = sink.received.length;
    const due = (await seeDeliveries(deps, endpoint.id)).map(({ nextAttemptAt }) => nextAttemptAt);
    for (let minute = 1; minute <= 12; minute += 1) {
      deps.clock.advance(60_000);
      const state = await runRetries(deps, endpoint.id);
      expect(sink.received).toHaveLength(tried + minute);
      expect(state.waitMs).toBeLessThanOrEqual(60_000);
    }
    const rows = await seeDeliveries(deps, endpoint.id);
    expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('retrying'));
    expect(rows.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(due);
    expect(Math.max(...rows.map(({ attempts }) => attempts))).toBeLessThanOrEqual(4);

    sink.answer((_request, response) => response.end());
    deps.clock.advance(60_000);
    expect(await runRetries(deps, endpoint.id)).toMatchObject({ breakerOpen: false });
  });

  it('end with the endpoint after five days of nothing but failures', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(500).end());
    await buildEvent(deps, scope);
    start();
    await settled(endpoint.id, allAre('retrying'));
    deps.clock.advance(5 * 24 * 60 * 60 * 1_000 + 60_000);
    const state = await runRetries(deps, endpoint.id);
    expect(state).toMatchObject({ backlog: 0, nextAttemptAt: null });
    await settled(endpoint.id, allAre('cancelled'));
    expect(
      await queryOne(
        deps.db.manager,
        `SELECT active_since, disabled_reason FROM webhook_endpoints WHERE id = $1`,
        [endpoint.id],
      ),
    ).toEqual({ active_since: null, disabled_reason: 'All deliveries failed for 5 days.' });
  });

  it('are all delivered when a receiver comes back after an hour', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    sink.answer((_request, response) => response.writeHead(502).end());
    const events = await buildEvents(deps, scope, 30);
    await fanOutAll(deps, events);
    start();
    await settled(endpoint.id, (rows) => rows.some(({ attempts }) => attempts > 0));
    for (let minute = 0; minute < 4; minute += 1) {
      deps.clock.advance(60_000);
      await runRetries(deps, endpoint.id);
    }
    sink.answer((_request, response) => response.end());
    for (let minute = 0; minute < 60; minute += 10) {
      deps.clock.advance(10 * 60_000);
      await runRetries(deps, endpoint.id);
    }
    await settled(endpoint.id, allAre('succeeded'));
    const arrived = new Set(sink.received.map(({ headers }) => headers['webhook-id']));
    expect(arrived.size).toBe(30);
  });
});

describe('a lease', () => {
  it('that ran out is taken over, and the late result does not count', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    await buildEvent(deps, scope);
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(),
         lease_until = now() + interval '1 second' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    start();
    await pause(400);
    expect(sink.received).toHaveLength(0);
    const [row] = await settled(endpoint.id, allAre('succeeded'));
    expect(row?.attempts).toBe(1);
  });
});

describe('the lease of what takes long', () => {
  it('is renewed by whoever holds it, and by no one else', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    await fanOutAll(deps, await buildEvents(deps, scope, 2));
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET lease_token = id, lease_until = now() + interval '3 seconds'
        WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const [held, other] = await seeDeliveries(deps, endpoint.id);
    const letGo = [
      leasesOf(deps).hold({ id: held?.id ?? '', leaseToken: held?.id ?? '' }),
      // As if another process had taken it over.
      leasesOf(deps).hold({ id: other?.id ?? '', leaseToken: held?.id ?? '' }),
    ];
    const secondsLeft = async (id?: string): Promise<number> => {
      const row = await queryOne<{ left: number }>(
        deps.db.manager,
        `SELECT extract(epoch FROM lease_until - now())::float8 AS left
           FROM webhook_deliveries WHERE id = $1`,
        [id],
      );
      return row?.left ?? 0;
    };
    for (let turn = 0; turn < 100 && (await secondsLeft(held?.id)) < 4; turn += 1) await pause(50);
    expect(await secondsLeft(held?.id)).toBeGreaterThan(4);
    expect(await secondsLeft(other?.id)).toBeLessThan(3);
    letGo.forEach((end) => end());
  });
});

describe('dead letters in bulk', () => {
  it('are queued again from an instant on, and a replay is a new delivery', async () => {
    const endpoint = await buildEndpoint(deps, scope, { url: sink.url });
    await fanOutAll(deps, await buildEvents(deps, scope, 20));
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'dead_letter', attempts = 3, next_attempt_at = NULL
        WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const later = new Date(deps.clock.now().getTime() + 1_000);
    const requeue = { endpointId: endpoint.id, firstDelayMs: 0 };
    expect(await beginRequeue(deps.db.manager, context(), { ...requeue, since: later })).toBe(0);
    expect(await beginRequeue(deps.db.manager, context(), { ...requeue, since: null })).toBe(20);
    expect(await beginRequeue(deps.db.manager, context(), { ...requeue, since: null })).toBe(0);
    start();
    const rows = await settled(endpoint.id, allAre('succeeded'));
    expect(rows.every(({ attempts }) => attempts === 4)).toBe(true);

    const deliveryId = rows[0]?.id ?? '';
    for (let turn = 0; turn < 2; turn += 1) {
      const id = await replayDelivery(deps.db.manager, context(), { ...requeue, deliveryId });
      expect(id).not.toBe(deliveryId);
    }
    const all = await settled(
      endpoint.id,
      (seen) => seen.length === 22 && allAre('succeeded')(seen),
    );
    expect(all.filter(({ eventId }) => eventId === rows[0]?.eventId)).toHaveLength(3);
  });
});
