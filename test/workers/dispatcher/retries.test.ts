import { setTimeout as pause } from 'node:timers/promises';
import { retryDelivery } from '../../../activities/webhooks/deliveries';
import { advanceRetries } from '../../../activities/webhooks/delivery/clock';
import { query, queryOne } from '../../../entities/database/sql';
import {
  buildEndpoint,
  buildEvent,
  buildEvents,
  fanOutAll,
  seeDeliveries,
} from '../../support/build/webhooks';
import { allAre, dispatchingWorld } from '../../support/workers/dispatching';

const world = dispatchingWorld();

describe('the retries of an endpoint', () => {
  it('go out when they are due, keep their webhook-id, and succeed', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(503).end());
    await buildEvent(world.deps, world.scope);
    world.start();
    await world.settled(endpoint.id, allAre('retrying'));
    const early = await advanceRetries(world.deps, endpoint.id);
    expect(early).toMatchObject({ backlog: 1, breakerOpen: false, failuresInRow: 1 });
    expect(early.waitMs).toBeGreaterThan(2_000);
    expect(world.sink.received).toHaveLength(1);

    world.sink.answer((_request, response) => response.end());
    const done = await world.later(endpoint.id, 7_000);
    expect(done).toMatchObject({ backlog: 0, nextAttemptAt: null, failuresInRow: 0 });
    const [first, second] = world.sink.received;
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  });

  it('end in dead_letter, tell so once, and count on after a retry by hand', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(500).end());
    await buildEvent(world.deps, world.scope);
    world.start();
    await world.settled(endpoint.id, allAre('retrying'));
    for (const wait of [7_000, 7 * 60_000]) await world.later(endpoint.id, wait);
    const [dead] = await world.settled(endpoint.id, allAre('dead_letter'));
    expect(dead).toMatchObject({ attempts: 3, nextAttemptAt: null });
    const mails = await query(
      world.deps.db.manager,
      `SELECT type FROM mails WHERE workspace_id = $1`,
      [world.scope.workspaceId],
    );
    expect(mails).toEqual([{ type: 'webhook.dead_letter' }]);

    world.sink.answer((_request, response) => response.end());
    const again = { endpointId: endpoint.id, deliveryId: dead?.id ?? '', firstDelayMs: 0 };
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => retryDelivery(world.deps.db.manager, world.context(), again)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [row] = await world.settled(endpoint.id, allAre('succeeded'));
    expect(row).toMatchObject({ id: dead?.id, attempts: 4 });
    await expect(
      retryDelivery(world.deps.db.manager, world.context(), again),
    ).rejects.toMatchObject({
      code: 'WEBHOOK_DELIVERY_NOT_DEAD_LETTER',
    });
  });

  it('wait as long as Retry-After asks', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end(),
    );
    await buildEvent(world.deps, world.scope);
    world.start();
    const [row] = await world.settled(endpoint.id, allAre('retrying'));
    const wait = (row?.nextAttemptAt?.getTime() ?? 0) - world.deps.clock.now().getTime();
    expect(wait).toBeGreaterThan(3_590_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  it('are one probe at a time behind an open breaker, and all after the first success', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(500).end());
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 40));
    world.start();
    await world.settled(
      endpoint.id,
      (rows) => rows.filter(({ attempts }) => attempts > 0).length >= 5,
    );
    await pause(300);
    const tried = world.sink.received.length;
    expect(tried).toBeLessThanOrEqual(16);

    const resting = await advanceRetries(world.deps, endpoint.id);
    expect(resting).toMatchObject({ breakerOpen: true });
    expect(resting.waitMs).toBeLessThanOrEqual(60_000);
    expect(world.sink.received).toHaveLength(tried);

    await world.later(endpoint.id, 60_000);
    expect(world.sink.received).toHaveLength(tried + 1);
    const waiting = (await seeDeliveries(world.deps, endpoint.id)).filter(
      ({ attempts }) => attempts === 0,
    );
    expect(waiting.length).toBeGreaterThan(20);

    world.sink.answer((_request, response) => response.end());
    await world.later(endpoint.id, 60_000);
    await world.settled(endpoint.id, (rows) => rows.every(({ status }) => status !== 'pending'));
    await world.later(endpoint.id, 10 * 60_000);
    await world.settled(endpoint.id, allAre('succeeded'));
  });

  it('close the breaker of a receiver that refuses whatever it sees for the first time', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    const seen = new Set<string>();
    world.sink.answer((request, response) => {
      const id = String(request.headers['webhook-id']);
      response.writeHead(seen.has(id) ? 200 : 500).end();
      seen.add(id);
    });
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 40));
    world.start();
    await world.settled(
      endpoint.id,
      (rows) => rows.filter(({ attempts }) => attempts > 0).length >= 5,
    );
    // Each success frees the next ones, whose refusals open it again.
    for (let minute = 0; minute < 15; minute += 1) await world.later(endpoint.id, 60_000);
    await world.settled(endpoint.id, allAre('succeeded'));
  });

  it('are probed before they are due when nothing else is, without using up attempts', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) =>
      response.writeHead(500, { 'retry-after': '7200' }).end(),
    );
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 6));
    world.start();
    await world.settled(endpoint.id, (rows) => rows.every(({ attempts }) => attempts > 0));
    world.sink.answer((_request, response) => response.writeHead(500).end());
    const tried = world.sink.received.length;
    const due = (await seeDeliveries(world.deps, endpoint.id)).map(
      ({ nextAttemptAt }) => nextAttemptAt,
    );
    for (let minute = 1; minute <= 12; minute += 1) {
      const state = await world.later(endpoint.id, 60_000);
      expect(world.sink.received).toHaveLength(tried + minute);
      expect(state.waitMs).toBeLessThanOrEqual(60_000);
    }
    const rows = await seeDeliveries(world.deps, endpoint.id);
    expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('retrying'));
    expect(rows.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual(due);
    expect(Math.max(...rows.map(({ attempts }) => attempts))).toBeLessThanOrEqual(4);

    world.sink.answer((_request, response) => response.end());
    expect(await world.later(endpoint.id, 60_000)).toMatchObject({ breakerOpen: false });
  });

  it('end with the endpoint after five days of nothing but failures', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(500).end());
    await buildEvent(world.deps, world.scope);
    world.start();
    await world.settled(endpoint.id, allAre('retrying'));
    const state = await world.later(endpoint.id, 5 * 24 * 60 * 60 * 1_000 + 60_000);
    expect(state).toMatchObject({ backlog: 0, nextAttemptAt: null });
    await world.settled(endpoint.id, allAre('cancelled'));
    expect(
      await queryOne(
        world.deps.db.manager,
        `SELECT active_since, disabled_reason FROM webhook_endpoints WHERE id = $1`,
        [endpoint.id],
      ),
    ).toEqual({ active_since: null, disabled_reason: 'All deliveries failed for 5 days.' });
  });

  it('are all delivered when a receiver comes back after an hour', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(502).end());
    const events = await buildEvents(world.deps, world.scope, 30);
    await fanOutAll(world.deps, events);
    world.start();
    await world.settled(endpoint.id, (rows) => rows.some(({ attempts }) => attempts > 0));
    for (let minute = 0; minute < 4; minute += 1) await world.later(endpoint.id, 60_000);
    world.sink.answer((_request, response) => response.end());
    for (let minute = 0; minute < 60; minute += 10) await world.later(endpoint.id, 10 * 60_000);
    await world.settled(endpoint.id, allAre('succeeded'));
    const arrived = new Set(world.sink.received.map(({ headers }) => headers['webhook-id']));
    expect(arrived.size).toBe(30);
  });

  it('are probed by the dispatchers when the clock of the endpoint stands still', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(500).end());
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 10));
    world.start();
    await world.settled(
      endpoint.id,
      // A failure that is written later would put the probe off.
      (rows) =>
        rows.filter(({ attempts }) => attempts > 0).length >= 5 &&
        rows.every(({ leaseToken }) => leaseToken === null),
    );
    world.sink.answer((_request, response) => response.end());
    // No workflow advances it; the last of them is due after five minutes.
    world.deps.clock.advance(60_000);
    await world.settled(endpoint.id, allAre('succeeded'));
  });
});
