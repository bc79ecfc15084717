import { setTimeout as pause } from 'node:timers/promises';
import { leasesOf } from '../../../activities/webhooks/delivery/leases';
import { runRetries } from '../../../activities/webhooks/delivery/run-retries';
import { execute, query } from '../../../entities/database/sql';
import type { TestDeps } from '../../support/app';
import { buildEndpoint, buildEvents, fanOutAll, seeDeliveries } from '../../support/build/webhooks';
import { asOwner } from '../../support/database';
import { dispatchingWorld } from '../../support/workers/dispatching';

const world = dispatchingWorld();

describe('retries', () => {
  const retrying = (endpointId: string, count: number) =>
    execute(
      world.deps.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1 WHERE id IN
         (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id LIMIT $2)`,
      [endpointId, count],
    );

  it('that are due have a place beside a full line of first attempts', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    const answers: (() => void)[] = [];
    world.sink.answer((_request, response) => answers.push(() => response.end()));
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 30));
    await retrying(endpoint.id, 1);
    world.start();
    await world.sink.waitFor(7);
    const state = await runRetries(world.deps, endpoint.id, { patienceMs: 20 });
    await world.sink.waitFor(8);
    expect(world.sink.mostOpen).toBe(8);
    expect(state.backlog).toBe(30);
    const [retried] = await query<{ leased: boolean }>(
      world.deps.db.manager,
      `SELECT lease_until IS NOT NULL AS leased FROM webhook_deliveries WHERE status = 'retrying'`,
    );
    expect(retried).toEqual({ leased: true });
    await world.stop();
    answers.forEach((answer) => answer());
    await world.deps.webhooks.places.empty();
  });

  it('that find no place wait for one, and do not ask twice a second', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 9));
    await retrying(endpoint.id, 1);
    await execute(
      world.deps.db.manager,
      `UPDATE webhook_deliveries SET lease_token = gen_random_uuid(),
         lease_until = now() + interval '1 minute' WHERE status = 'pending'`,
    );
    const state = await runRetries(world.deps, endpoint.id);
    expect(world.sink.received).toHaveLength(0);
    expect(state.waitMs).toBeGreaterThan(2_500);
    expect(state.waitMs).toBeLessThanOrEqual(5_000);
  });

  it('end their call knowing what has ended meanwhile', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    const answers: (() => void)[] = [];
    world.sink.answer((_request, response) => answers.push(() => response.end()));
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 10));
    await retrying(endpoint.id, 10);
    const { webhooks } = world.deps.config;
    const config = { ...world.deps.config, webhooks: { ...webhooks, timeoutMs: 15_000 } };
    // What hangs ends between the last batch and the transaction that ends the call.
    const db = Object.create(world.deps.db) as TestDeps['db'];
    const begin = world.deps.db.transaction.bind(world.deps.db) as (
      ...given: unknown[]
    ) => Promise<never>;
    let begun = 0;
    db.transaction = async (...args: unknown[]) => {
      begun += 1;
      // The first one begins the call.
      if (begun === 1) return begin(...args);
      await world.sink.waitFor(8);
      answers.forEach((answer) => answer());
      await world.deps.webhooks.places.empty();
      return begin(...args);
    };
    const state = await runRetries({ ...world.deps, config, db }, endpoint.id, { patienceMs: 20 });
    expect(state).toMatchObject({ backlog: 2, waitMs: 500 });
  });

  it('that cannot be written down give back what has ended, and hold what goes on', async () => {
    const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
    const hanging: (() => void)[] = [];
    world.sink.answer((_request, response) => {
      if (world.sink.received.length > 1) hanging.push(() => response.end());
      else response.end();
    });
    await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 2));
    await retrying(endpoint.id, 2);
    const refusal = 'ck_no_attempts CHECK (false) NOT VALID';
    await asOwner(
      world.deps.config.databaseUrl,
      `ALTER TABLE webhook_attempts ADD CONSTRAINT ${refusal}`,
    );
    try {
      await expect(runRetries(world.deps, endpoint.id, { patienceMs: 100 })).rejects.toThrow(
        'ck_no_attempts',
      );
      expect(leasesOf(world.deps).ids()).toHaveLength(1);
      hanging.forEach((answer) => answer());
      await pause(200);
    } finally {
      await asOwner(
        world.deps.config.databaseUrl,
        'ALTER TABLE webhook_attempts DROP CONSTRAINT ck_no_attempts',
      );
    }
    await world.deps.webhooks.places.empty();
    const rows = await seeDeliveries(world.deps, endpoint.id);
    expect(rows.map(({ status }) => status).sort()).toEqual(['retrying', 'succeeded']);
    expect(leasesOf(world.deps).ids()).toEqual([]);
  });
});
