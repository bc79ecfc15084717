import { setTimeout as pause } from 'node:timers/promises';
import { startWebhookDispatcher } from '../../../workers/dispatcher/dispatcher';
import { advanceRetries } from '../../../activities/webhooks/delivery/clock';
import type { Scope } from '../../../entities/rules/values/mode';
import { execute, query } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildEndpoint, buildEvents, fanOutAll, seeDeliveries } from '../../support/build/webhooks';
import { eventually, within } from '../../support/eventually';
import { dispatchingWorld } from '../../support/workers/dispatching';

/** Who answers is not taken for one who hangs, however busy this machine is. */
const world = dispatchingWorld({ WEBHOOK_TIMEOUT_MS: '3000' });

async function scopeIn(own: TestDeps): Promise<Scope> {
  const { workspaceId } = await buildMember(own.db.manager);
  return { workspaceId, mode: 'test' };
}

describe('a workspace whose endpoints hang', () => {
  const endpointsOf = async (count: number, path: string) => {
    const own = {
      ...world.scope,
      workspaceId: (await buildMember(world.deps.db.manager)).workspaceId,
    };
    const url = world.sink.url.replace('/hook', path);
    for (let n = 0; n < count; n += 1) {
      // Ten a mode.
      await buildEndpoint(world.deps, { ...own, mode: n % 2 === 0 ? 'test' : 'live' }, { url });
    }
    return own;
  };
  const eventsIn = async (own: Scope, count: number) => {
    for (const mode of ['test', 'live'] as const) {
      await fanOutAll(world.deps, await buildEvents(world.deps, { ...own, mode }, count));
    }
  };
  const openOf = (path: string) =>
    world.sink.received.filter((request) => request.path === path).length;

  it('has a share of what is free, and the others the rest', async () => {
    world.sink.answer((request, response) => void (request.path === '/hook' && response.end()));
    const hanging = await endpointsOf(20, '/hang');
    await eventsIn(hanging, 8);
    world.start({ pollMs: 20 });
    await world.sink.waitFor(60);
    const claimed = await query<{ count: number }>(
      world.deps.db.manager,
      `SELECT count(*) FROM webhook_deliveries d JOIN webhook_endpoints e ON e.id = d.endpoint_id
        WHERE e.workspace_id = $1 AND d.lease_until IS NOT NULL`,
      [hanging.workspaceId],
    );
    expect(claimed[0]?.count).toBeLessThanOrEqual(80);
    const healthy = await endpointsOf(2, '/hook');
    await eventsIn(healthy, 20);
    await eventually(() => Promise.resolve(openOf('/hook') === 40 || undefined));
  });

  it('is probed once behind its open breaker, whoever sends and however often its clock is advanced', async () => {
    const own = await openTestDeps({ WEBHOOK_TIMEOUT_MS: '6000', WEBHOOK_BREAKER_FAILURES: '5' });
    const there = await scopeIn(own);
    const endpoint = await buildEndpoint(own, there, { url: world.sink.url });
    world.sink.answer(() => undefined);
    await fanOutAll(own, await buildEvents(own, there, 3));
    await execute(own.db.manager, `UPDATE webhook_endpoints SET failures_in_row = 5`);
    const dispatchers = [1, 2, 3].map(() => startWebhookDispatcher(own, { pollMs: 20 }));
    await advanceRetries(own, endpoint.id);
    await world.sink.waitFor(1);
    for (let turn = 0; turn < 3; turn += 1) {
      own.clock.advance(60_000);
      expect(await advanceRetries(own, endpoint.id)).toMatchObject({ breakerOpen: true });
    }
    await pause(100);
    expect(world.sink.received).toHaveLength(1);
    await own.outbound.close();
    await Promise.all(dispatchers.map((one) => one.stop()));
    await own.close();
  });
});

describe('a stop', () => {
  it('leaves what hangs to its lease, in time, and writes nothing down for it', async () => {
    const own = await openTestDeps({ WEBHOOK_TIMEOUT_MS: '15000', SHUTDOWN_TIMEOUT_MS: '5000' });
    const there = await scopeIn(own);
    const endpoint = await buildEndpoint(own, there, { url: world.sink.url });
    world.sink.answer(() => undefined);
    await fanOutAll(own, await buildEvents(own, there, 2));
    await execute(
      own.db.manager,
      `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1
        WHERE id = (SELECT max(id::text)::uuid FROM webhook_deliveries)`,
    );
    const leaving = startWebhookDispatcher(own, { pollMs: 100 });
    await world.sink.waitFor(2);
    await within(5_000, leaving.stop());
    // The process closes its connections now, which ends the attempts.
    await own.outbound.close();
    await pause(100);
    const rows = await seeDeliveries(own, endpoint.id);
    expect(rows.map(({ attempts, leaseToken }) => [attempts, leaseToken !== null]).sort()).toEqual([
      [0, true],
      [1, true],
    ]);
    await own.close();
  });
});
