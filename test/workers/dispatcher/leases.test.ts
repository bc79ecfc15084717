import { setTimeout as pause } from 'node:timers/promises';
import { beginRequeue, replayDelivery } from '../../../activities/webhooks/deliveries';
import { createLeaseKeeper } from '../../../activities/webhooks/delivery/leases';
import { execute, queryOne } from '../../../entities/database/sql';
import {
  buildEndpoint,
  buildEvent,
  buildEvents,
  fanOutAll,
  seeDeliveries,
} from '../../support/build/webhooks';
import { allAre, dispatchingWorld } from '../../support/workers/dispatching';

const world = dispatchingWorld();

describe('a lease', () => {
  it('that ran out is taken over, and the late result does not count', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    await buildEvent(world.deps, world.scope);
    await execute(
      world.deps.db.manager,
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(),
         lease_until = now() + interval '4 seconds' WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    world.start();
    await pause(400);
    expect(world.sink.received).toHaveLength(0);
    const [row] = await world.settled(endpoint.id, allAre('succeeded'));
    expect(row?.attempts).toBe(1);
  });
});

describe('the lease of what takes long', () => {
  it('is renewed by whoever holds it, and by no one else', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 2));
    await execute(
      world.deps.db.manager,
      `UPDATE webhook_deliveries SET lease_token = id, lease_until = now() + interval '3 seconds'
        WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const [held, other] = await seeDeliveries(world.deps, endpoint.id);
    const leases = createLeaseKeeper(world.deps);
    const letGo = [
      leases.hold({ id: held?.id ?? '', leaseToken: held?.id ?? '' }),
      // The token is another one, as if another process had taken the delivery over.
      leases.hold({ id: other?.id ?? '', leaseToken: held?.id ?? '' }),
    ];
    const secondsLeft = async (id?: string): Promise<number> => {
      const row = await queryOne<{ left: number }>(
        world.deps.db.manager,
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
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 20));
    await execute(
      world.deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'dead_letter', attempts = 3, next_attempt_at = NULL
        WHERE endpoint_id = $1`,
      [endpoint.id],
    );
    const later = new Date(world.deps.clock.now().getTime() + 1_000);
    const requeue = { endpointId: endpoint.id, firstDelayMs: 0 };
    expect(
      await beginRequeue(world.deps.db.manager, world.context(), { ...requeue, since: later }),
    ).toBe(0);
    expect(
      await beginRequeue(world.deps.db.manager, world.context(), { ...requeue, since: null }),
    ).toBe(20);
    expect(
      await beginRequeue(world.deps.db.manager, world.context(), { ...requeue, since: null }),
    ).toBe(0);
    world.start();
    const rows = await world.settled(endpoint.id, allAre('succeeded'));
    expect(rows.every(({ attempts }) => attempts === 4)).toBe(true);

    const deliveryId = rows[0]?.id ?? '';
    for (let turn = 0; turn < 2; turn += 1) {
      const id = await replayDelivery(world.deps.db.manager, world.context(), {
        ...requeue,
        deliveryId,
      });
      expect(id).not.toBe(deliveryId);
    }
    const all = await world.settled(
      endpoint.id,
      (seen) => seen.length === 22 && allAre('succeeded')(seen),
    );
    expect(all.filter(({ eventId }) => eventId === rows[0]?.eventId)).toHaveLength(3);
  });
});
