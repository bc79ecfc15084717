import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { startWebhookDispatcher } from '../../../workers/dispatcher/dispatcher';
import { updateEndpoint } from '../../../activities/webhooks/endpoints';
import { execute, query } from '../../../entities/database/sql';
import {
  buildEndpoint,
  buildEvent,
  buildEvents,
  fanOutAll,
  seeDeliveries,
} from '../../support/build/webhooks';
import { startSink } from '../../support/sink';
import { allAre, dispatchingWorld } from '../../support/workers/dispatching';
import { until } from '../../support/eventually';

// An answer takes longer on a busy machine than the four hundred milliseconds of the other suites.
const world = dispatchingWorld({ WEBHOOK_TIMEOUT_MS: '5000' });

describe('a first attempt (webhooks.md, Attempts)', () => {
  it('posts the envelope with both signatures, and is written down', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    const eventId = await buildEvent(world.deps, world.scope);
    world.start();
    const [received] = await world.sink.waitFor(1);
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

    const [row] = await world.settled(endpoint.id, allAre('succeeded'));
    expect(row).toMatchObject({
      attempts: 1,
      httpStatusCode: 200,
      errorMessage: null,
      responseBody: 'ok',
      nextAttemptAt: null,
      leaseToken: null,
    });
    const log = await query(
      world.deps.db.manager,
      `SELECT attempt, http_status_code FROM webhook_attempts WHERE delivery_id = $1`,
      [row?.id],
    );
    expect(log).toEqual([{ attempt: 1, http_status_code: 200 }]);
  });

  it('comes at once, woken by the commit', async () => {
    await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.start({ pollMs: 60_000 });
    await pause(200);
    await buildEvent(world.deps, world.scope);
    // Long before it looks by itself.
    await world.sink.waitFor(1, 20_000);
  });

  it('goes to those who were active and subscribed when it happened, and still are', async () => {
    const at = new Date(world.deps.clock.now().getTime() - 60_000);
    const before = new Date(at.getTime() - 60_000);
    const after = new Date(at.getTime() + 1);
    const url = world.sink.url;
    const wanted = await buildEndpoint(world.deps, world.scope, { url, at: before });
    const exact = await buildEndpoint(world.deps, world.scope, {
      url,
      at,
      events: ['commission.created'],
    });
    const others = [
      await buildEndpoint(world.deps, world.scope, { url, at: after }),
      await buildEndpoint(world.deps, world.scope, { url, at: before, events: ['payout.created'] }),
      await buildEndpoint(world.deps, { ...world.scope, mode: 'live' }, { url, at: before }),
    ];
    const off = await buildEndpoint(world.deps, world.scope, { url, at: before });
    await updateEndpoint(world.deps.db.manager, world.context(), {
      endpointId: off.id,
      active: false,
    });
    const backAgain = await buildEndpoint(world.deps, world.scope, { url, at: before });
    for (const active of [false, true]) {
      const endpointId = backAgain.id;
      await updateEndpoint(world.deps.db.manager, world.context(), { endpointId, active });
    }
    const lateKind = await buildEndpoint(world.deps, world.scope, {
      url,
      at: before,
      events: ['payout.created'],
    });
    await updateEndpoint(world.deps.db.manager, world.context(), {
      endpointId: lateKind.id,
      events: ['payout.created', 'commission.created'],
    });
    await buildEvent(world.deps, world.scope, { at });

    for (const { id } of [wanted, exact])
      expect(await seeDeliveries(world.deps, id)).toHaveLength(1);
    for (const { id } of [...others, off, backAgain, lateKind]) {
      expect(await seeDeliveries(world.deps, id)).toHaveLength(0);
    }
  });

  it('is made once for an event that is relayed twice', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    const eventId = await buildEvent(world.deps, world.scope);
    expect(await fanOutAll(world.deps, [eventId])).toBe(0);
    expect(await seeDeliveries(world.deps, endpoint.id)).toHaveLength(1);
  });

  it('has at most eight companions under way to one endpoint', async () => {
    await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => setTimeout(() => response.end(), 20));
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 60));
    world.start();
    await world.sink.waitFor(60);
    expect(world.sink.maxOpen).toBeLessThanOrEqual(8);
    expect(world.sink.maxOpen).toBeGreaterThan(4);
  });

  it('shares this bound with the other dispatchers of the fleet, and with retries', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => setTimeout(() => response.end(), 20));
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 150));
    await execute(
      world.deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1 WHERE id IN
         (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT 50)`,
      [endpoint.id],
    );
    const dispatchers = [1, 2, 3].map(() => startWebhookDispatcher(world.deps));
    await world.sink.waitFor(150);
    await Promise.all(dispatchers.map((one) => one.stop()));
    expect(world.sink.maxOpen).toBeLessThanOrEqual(8);
    await world.settled(endpoint.id, allAre('succeeded'));
    expect(world.sink.received).toHaveLength(150);
  });

  it('has eight companions at most whichever dispatcher sends it', async () => {
    await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => setTimeout(() => response.end(), 10));
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 200));
    const dispatchers = [1, 2, 3].map(() => startWebhookDispatcher(world.deps));
    await world.sink.waitFor(200);
    await Promise.all(dispatchers.map((one) => one.stop()));
    expect(world.sink.maxOpen).toBeLessThanOrEqual(8);
    expect(world.sink.maxOpen).toBeGreaterThan(4);
    expect(world.sink.received).toHaveLength(200);
  });

  it('does not wait for an endpoint that hangs, on the same host neither', async () => {
    const hanging = await startSink();
    hanging.answer(() => undefined);
    await buildEndpoint(world.deps, world.scope, { url: hanging.url });
    world.sink.answer((request, response) => {
      if (request.path === '/hang') return;
      response.end();
    });
    await buildEndpoint(world.deps, world.scope, { url: world.sink.url.replace('/hook', '/hang') });
    await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 100));
    world.start();
    const healthy = () => world.sink.received.filter(({ path }) => path === '/hook').length;
    await until(() => healthy() === 100, 3_000);
    await hanging.close();
  });
});
