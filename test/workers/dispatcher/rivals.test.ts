import { setTimeout as pause } from 'node:timers/promises';
import { startWebhookDispatcher } from '../../../workers/dispatcher/dispatcher';
import { query, transaction } from '../../../entities/database/sql';
import { buildMember } from '../../support/build/accounts';
import { buildEndpoint, buildEvent, buildEvents, fanOutAll } from '../../support/build/webhooks';
import { asOwner } from '../../support/database';
import { eventually } from '../../support/eventually';
import { allAre, dispatchingWorld } from '../../support/workers/dispatching';

const world = dispatchingWorld();

afterEach(() => jest.restoreAllMocks());

it('a dispatcher that loses its rows to another looks again before its time', async () => {
  await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
  await fanOutAll(world.deps, await buildEvents(world.deps, world.scope, 4));
  const looks = jest.spyOn(world.deps.clock, 'now');
  const start = () => startWebhookDispatcher(world.deps, { pollMs: 600_000 });
  const dispatcher = await transaction(world.deps.db, async (rival) => {
    await query(rival, 'SELECT 1 FROM webhook_deliveries FOR NO KEY UPDATE');
    const started = start();
    // One claim at the start and one after the notification: more than four are retries of a lost one.
    await eventually(() => Promise.resolve(looks.mock.calls.length > 4 || undefined));
    expect(world.sink.received).toHaveLength(0);
    return started;
  });
  await world.sink.waitFor(4, 20_000);
  await dispatcher.stop();
  expect(world.sink.received).toHaveLength(4);
});

it('a dispatcher serves what is behind deliveries that cannot be sent, and then rests', async () => {
  // The four make as many as one claim reads.
  for (let turn = 0; turn < 4; turn += 1) {
    const { workspaceId } = await buildMember(world.deps.db.manager);
    const own = { workspaceId, mode: 'test' } as const;
    for (let n = 0; n < 8; n += 1) await buildEndpoint(world.deps, own);
    const eventIds = await buildEvents(world.deps, own, 8);
    await fanOutAll(world.deps, eventIds);
    await asOwner(world.deps.config.databaseUrl, 'DELETE FROM events WHERE id = ANY ($1)', [
      eventIds,
    ]);
  }
  const endpoint = await buildEndpoint(world.deps, world.scope, { url: world.sink.url });
  await buildEvent(world.deps, world.scope);
  const looks = jest.spyOn(world.deps.clock, 'now');
  const dispatcher = startWebhookDispatcher(world.deps, { pollMs: 600_000 });
  await world.sink.waitFor(1, 20_000);
  await world.settled(endpoint.id, allAre('succeeded'));
  await pause(500);
  // A round has two claims: one at the start, and one after each of what wakes it; an attempt has three.
  expect(looks.mock.calls.length).toBeLessThanOrEqual(20);
  await dispatcher.stop();
});
