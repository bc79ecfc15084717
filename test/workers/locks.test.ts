import { Client } from 'pg';
import { recordEvent } from '../../activities/journal/events';
import { newId } from '../../entities/ids';
import { exampleObject } from '../../entities/rules/webhooks/examples';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, query, transaction } from '../../entities/database/sql';
import { AttemptRecorder } from '../../workers/dispatcher/attempt-recorder';
import { startRelay } from '../../workers/relay/relay';
import { relayHandlers } from '../../workers/relay/handlers';
import { useDeps } from '../support/app';
import { buildMember } from '../support/build/accounts';
import {
  buildEndpoint,
  buildEvents,
  fanOutAll,
  seeDeliveries,
  type BuiltEndpoint,
} from '../support/build/webhooks';
import { asOwner } from '../support/database';
import { eventually, within } from '../support/eventually';
import { claimSome } from '../support/workers/claiming';

/**
 * What others may have to wait while one tenant's rows are locked: some 100 ms, and much room for a
 * busy machine. Without isolation it is the 5 s of the pool's lock timeout, a number of times.
 */
const othersWithinMs = 4_500;

const deps = useDeps();
let holder: Client;

beforeEach(async () => {
  await execute(deps.db.manager, 'DELETE FROM outbox');
  await asOwner(deps.config.databaseUrl, 'DELETE FROM webhook_deliveries');
  holder = new Client({ connectionString: deps.config.databaseDirectUrl });
  await holder.connect();
  await holder.query('BEGIN');
});
afterEach(() => holder.end());

interface Tenant {
  scope: Scope;
  endpoint: BuiltEndpoint;
}

async function buildTenant(): Promise<Tenant> {
  const { workspaceId } = await buildMember(deps.db.manager);
  const scope = { workspaceId, mode: 'test' } as const;
  return { scope, endpoint: await buildEndpoint(deps, scope) };
}

const holdEndpoint = ({ endpoint }: Tenant): Promise<unknown> =>
  holder.query('SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpoint.id]);

/** Events with their work for the relay. */
async function happen(scope: Scope, count = 1): Promise<void> {
  const object = exampleObject('commission.created');
  for (let made = 0; made < count; made += 1) {
    const event = { type: 'commission.created', objectId: newId(), object } as const;
    await transaction(deps.db, (tx) => recordEvent(tx, scope, { ...event, at: deps.clock.now() }));
  }
}

const untilDelivered = ({ endpoint }: Tenant, count: number, patienceMs?: number): Promise<true> =>
  eventually(async () => {
    const rows = await seeDeliveries(deps, endpoint.id);
    return rows.length === count ? true : undefined;
  }, patienceMs);

const waiting = (): Promise<{ attempts: number }[]> =>
  query(deps.db.manager, `SELECT attempts FROM outbox WHERE topic = 'event_deliveries'`);

describe('while a row of one tenant is locked', () => {
  it("the others' events fan out within moments, and its own once the lock is gone", async () => {
    const [mallory, alice] = [await buildTenant(), await buildTenant()];
    await holdEndpoint(mallory);
    await happen(mallory.scope);
    const relay = startRelay(deps, relayHandlers(deps));
    for (let round = 1; round <= 3; round += 1) {
      await happen(mallory.scope);
      await happen(alice.scope);
      await untilDelivered(alice, round, othersWithinMs);
    }
    expect(await seeDeliveries(deps, mallory.endpoint.id)).toEqual([]);

    await holder.query('COMMIT');
    await untilDelivered(mallory, 4);
    await relay.stop();
    expect(await waiting()).toEqual([]);
  });

  it('its events wait uncounted, however often they meet it', async () => {
    const mallory = await buildTenant();
    await holdEndpoint(mallory);
    await happen(mallory.scope, 3);
    const handler = relayHandlers(deps).event_deliveries;
    const work = await query<{ id: number; ref: string; payload: Record<string, unknown> }>(
      deps.db.manager,
      `SELECT id, ref, payload FROM outbox WHERE topic = 'event_deliveries'`,
    );
    const later: number[] = [];
    const refused: number[] = [];
    const report = {
      defer: (id: number) => void later.push(id),
      refused: (id: number) => void refused.push(id),
      away: () => undefined,
    };
    const { workspaceId } = mallory.scope;
    const rows = work.map((row) => ({
      ...row,
      workspaceId,
      attempts: 1,
      deferrals: 0,
      waitedSeconds: 0,
      requestId: null,
    }));
    expect(await handler.handle(rows, report)).toEqual([]);
    expect(later).toHaveLength(3);
    expect(refused).toEqual([]);
  });

  it("rows of its own that failed before leave the relay's connections to the others", async () => {
    const [mallory, alice] = [await buildTenant(), await buildTenant()];
    await holdEndpoint(mallory);
    await happen(mallory.scope, 40);
    await execute(deps.db.manager, 'UPDATE outbox SET attempts = 4');
    const relay = startRelay(deps, relayHandlers(deps));
    for (let round = 1; round <= 3; round += 1) {
      await happen(alice.scope);
      await untilDelivered(alice, round, othersWithinMs);
    }
    await holder.query('COMMIT');
    await untilDelivered(mallory, 40);
    await relay.stop();
  });

  const holds = {
    endpoint: holdEndpoint,
    deliveries: ({ endpoint }: Tenant) =>
      holder.query('SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 FOR UPDATE', [
        endpoint.id,
      ]),
    feed: ({ scope }: Tenant) =>
      holder.query(
        `INSERT INTO notification_feeds (feed_id, version) VALUES ($1, 1)
         ON CONFLICT (feed_id) DO UPDATE SET version = notification_feeds.version`,
        [scope.workspaceId],
      ),
  };

  it.each([
    ['endpoint', 'retrying'],
    ['deliveries', 'retrying'],
    // The workspace is notified of a dead letter.
    ['feed', 'dead_letter'],
  ] as const)(
    "results of the others' attempts are written while its %s is locked",
    async (what, status) => {
      const [mallory, alice] = [await buildTenant(), await buildTenant()];
      for (const { scope } of [mallory, alice])
        await fanOutAll(deps, await buildEvents(deps, scope, 6));
      const { claims } = await claimSome(deps, { now: deps.clock.now(), breakerFailures: 50 });
      expect(claims).toHaveLength(12);
      await holds[what](mallory);

      const recorder = new AttemptRecorder(deps, { giveUpMs: 60_000 });
      const failed = {
        ok: false,
        httpStatusCode: 500,
        errorMessage: 'HTTP 500',
        durationMs: 1,
        responseBody: null,
        retryAfter: undefined,
      } as const;
      const records = claims.map((claim) => ({
        isOwn: claim.endpointId === mallory.endpoint.id,
        recorded: recorder.record({
          claim,
          at: deps.clock.now(),
          answer: failed,
          verdict: {
            status,
            nextAttemptAt: status === 'retrying' ? new Date(Date.now() + 60_000) : null,
            disablesEndpoint: false,
          },
          isAhead: false,
        }),
      }));
      const pick = (isOwn: boolean) =>
        Promise.all(records.filter((one) => one.isOwn === isOwn).map(({ recorded }) => recorded));
      await within(othersWithinMs, pick(false));
      const statuses = async ({ endpoint }: Tenant) =>
        (await seeDeliveries(deps, endpoint.id)).map(({ status }) => status);
      expect(await statuses(alice)).toEqual(Array(6).fill(status));
      expect(await statuses(mallory)).toEqual(Array(6).fill('pending'));

      await holder.query('COMMIT');
      await pick(true);
      expect(await statuses(mallory)).toEqual(Array(6).fill(status));
    },
  );
});
