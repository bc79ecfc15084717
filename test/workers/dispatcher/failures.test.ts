import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { deleteEndpoint, updateEndpoint } from '../../../activities/webhooks/endpoints';
import { rotateSecret } from '../../../activities/webhooks/rotate-secret';
import { query, queryOne } from '../../../entities/database/sql';
import type { Subscription } from '../../../entities/rules/webhooks/events';
import {
  buildEndpoint,
  buildEvent,
  buildEvents,
  fanOutAll,
  seeDeliveries,
} from '../../support/build/webhooks';
import { allAre, dispatchingWorld } from '../../support/workers/dispatching';

const world = dispatchingWorld();

describe('a failed attempt', () => {
  it('waits for its retry, and wakes the workflow once a batch of outcomes', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(500).end('no'));
    await buildEvent(world.deps, world.scope);
    await buildEvent(world.deps, world.scope);
    world.start();
    const rows = await world.settled(endpoint.id, allAre('retrying'));
    for (const row of rows) {
      expect(row).toMatchObject({
        attempts: 1,
        httpStatusCode: 500,
        errorMessage: 'The receiver answered 500.',
        responseBody: 'no',
      });
      const wait = (row.nextAttemptAt?.getTime() ?? 0) - world.deps.clock.now().getTime();
      expect(wait).toBeGreaterThan(2_500);
      expect(wait).toBeLessThan(6_001);
    }
    const wakes = await query(world.deps.db.manager, `SELECT id FROM outbox WHERE ref = $1`, [
      endpoint.id,
    ]);
    // Two attempts end in one batch or in two.
    expect(wakes.length).toBeGreaterThanOrEqual(1);
    expect(wakes.length).toBeLessThanOrEqual(2);
  });

  it('is a timeout when the receiver hangs', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer(() => undefined);
    await buildEvent(world.deps, world.scope);
    world.start();
    const [row] = await world.settled(endpoint.id, allAre('retrying'));
    expect(row).toMatchObject({ httpStatusCode: null, errorMessage: 'No answer within 400 ms.' });
  });

  it('disables the endpoint on 410, and cancels what waits for it', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.sink.answer((_request, response) => response.writeHead(410).end());
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 30));
    world.start();
    await world.settled(endpoint.id, allAre('cancelled'));
    const row = await queryOne<{ active_since: Date | null; disabled_reason: string }>(
      world.deps.db.manager,
      `SELECT active_since, disabled_reason FROM webhook_endpoints WHERE id = $1`,
      [endpoint.id],
    );
    expect(row).toEqual({ active_since: null, disabled_reason: 'The receiver answered 410 Gone.' });
    const mails = await query(
      world.deps.db.manager,
      `SELECT type FROM mails WHERE workspace_id = $1`,
      [world.scope.workspaceId],
    );
    expect(mails).toEqual([{ type: 'webhook.disabled' }]);

    await updateEndpoint(world.deps.db.manager, world.context(), {
      endpointId: endpoint.id,
      active: true,
    });
    expect(
      await queryOne(
        world.deps.db.manager,
        `SELECT disabled_reason FROM webhook_endpoints WHERE id = $1`,
        [endpoint.id],
      ),
    ).toEqual({ disabled_reason: null });
  });
});

describe('an endpoint that goes away mid-way', () => {
  it.each(['deactivated', 'deleted', 'unsubscribed'])(
    '%s: everything is cancelled, and nothing more is sent',
    async (how) => {
      const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
      world.sink.answer((_request, response) => setTimeout(() => response.end(), 100));
      await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 50));
      world.start();
      await world.sink.waitFor(3);
      const change = { endpointId: endpoint.id };
      if (how === 'deleted') await deleteEndpoint(world.deps.db.manager, world.context(), change);
      else {
        const events: Subscription[] = ['payout.created'];
        const update = how === 'deactivated' ? { active: false } : { events };
        await updateEndpoint(world.deps.db.manager, world.context(), { ...change, ...update });
      }

      const sent = world.sink.received.length;
      await pause(400);
      expect(world.sink.received.length - sent).toBeLessThanOrEqual(8);
      const rows = await seeDeliveries(world.deps, endpoint.id);
      expect(rows.filter(({ status }) => status === 'cancelled').length).toBeGreaterThan(30);
      expect(rows.every(({ status }) => ['cancelled', 'succeeded'].includes(status))).toBe(true);
      expect(rows.every(({ leaseToken }) => leaseToken === null)).toBe(true);
    },
  );
});

describe('a rotation', () => {
  it('takes effect at the next attempt; an overlap signs with both secrets until it ends', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    world.start();
    const { manager } = world.deps.db;
    const rotate = (overlapHours: number) =>
      rotateSecret({ db: manager, vault: world.deps.vault }, world.context(), {
        endpointId: endpoint.id,
        overlapHours,
      });
    const next = async () => {
      const count = world.sink.received.length;
      await buildEvent(world.deps, world.scope);
      return (await world.sink.waitFor(count + 1))[count];
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

    world.deps.clock.advance(60 * 60 * 1_000 + 1);
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
