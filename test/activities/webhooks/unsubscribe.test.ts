import {
  beginRequeue,
  replayDelivery,
  retryDelivery,
} from '../../../activities/webhooks/deliveries';
import { updateEndpoint } from '../../../activities/webhooks/endpoints';
import { commandRetries } from '../../../activities/webhooks/operator-commands';
import { repairWebhookDeliveries } from '../../../activities/webhooks/repair';
import { recordAlone } from '../../../activities/webhooks/delivery/record';
import { systemCause } from '../../../activities/journal/cause';
import { execute, query, rowsAtOnce, transaction } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import type { Subscription, WebhookEventKind } from '../../../entities/rules/webhooks/events';
import { relayHandlers } from '../../../workers/relay/handlers';
import { useDeps } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildEndpoint, buildEvent, seeDeliveries } from '../../support/build/webhooks';
import { asOwner } from '../../support/database';
import { claimSome } from '../../support/workers/claiming';
import { relayOnce } from '../../support/workers/relay-once';

const deps = useDeps();
const db = () => deps.db.manager;
let scope: Scope;
beforeEach(async () => {
  const { workspaceId } = await buildMember(db());
  scope = { workspaceId, mode: 'test' };
});
afterEach(() => asOwner(deps.config.databaseUrl, 'DELETE FROM webhook_deliveries'));

const context = () => ({ scope, ...systemCause(deps.clock.now()) });
const endpointOf = async (events: Subscription[]): Promise<string> =>
  (await buildEndpoint(deps, scope, { events })).id;
const subscribe = (endpointId: string, events: Subscription[]): Promise<void> =>
  updateEndpoint(db(), context(), { endpointId, events });

/** Deliveries of a kind that are due in an hour. */
async function backlog(endpointId: string, kind: WebhookEventKind, count: number): Promise<void> {
  await execute(
    db(),
    `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
            status, next_attempt_at, created_at)
     SELECT gen_random_uuid(), $1, $2, $3, gen_random_uuid(), $4, 'pending',
            now() + interval '1 hour', now()
       FROM generate_series(1, $5)`,
    [scope.workspaceId, scope.mode, endpointId, kind, count],
  );
}

/** How many deliveries of each kind have which status. */
async function statesOf(endpointId: string): Promise<Record<string, number>> {
  const rows = await query<{ state: string; count: number }>(
    db(),
    `SELECT event_type || ' ' || status AS state, count(*)::int AS count FROM webhook_deliveries
      WHERE endpoint_id = $1 GROUP BY 1`,
    [endpointId],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

const relay = (): Promise<number> =>
  relayOnce(deps, 'unsubscribed_kinds', relayHandlers(deps).unsubscribed_kinds);

async function deliveryOf(endpointId: string, type: WebhookEventKind, status: string) {
  const eventId = await buildEvent(deps, scope, { type });
  const made = (await seeDeliveries(deps, endpointId)).find((one) => one.eventId === eventId);
  const id = made?.id ?? '';
  await execute(
    db(),
    `UPDATE webhook_deliveries SET status = $2, attempts = 1, last_attempt_at = now(),
       next_attempt_at = CASE WHEN $2 = 'retrying' THEN now() + interval '1 hour' END WHERE id = $1`,
    [id, status],
  );
  return id;
}

describe('an endpoint that unsubscribes from a kind', () => {
  it('gets nothing more of what was open of it, and all the rest', async () => {
    const endpointId = await endpointOf(['commission.created', 'payout.created']);
    await buildEvent(deps, scope);
    await deliveryOf(endpointId, 'commission.created', 'retrying');
    await deliveryOf(endpointId, 'commission.created', 'dead_letter');
    await deliveryOf(endpointId, 'commission.created', 'succeeded');
    await buildEvent(deps, scope, { type: 'payout.created' });
    await deliveryOf(endpointId, 'payout.created', 'retrying');
    const other = await endpointOf(['*']);
    await buildEvent(deps, scope, { type: 'payout.created' });

    await subscribe(endpointId, ['payout.created']);
    expect(await statesOf(endpointId)).toEqual({
      'commission.created cancelled': 2,
      'commission.created dead_letter': 1,
      'commission.created succeeded': 1,
      'payout.created pending': 2,
      'payout.created retrying': 1,
    });
    expect(await statesOf(other)).toEqual({ 'payout.created pending': 1 });
  });

  it.each<[Subscription[], Subscription[], string]>([
    [['*'], ['payout.created'], 'cancelled'],
    [['*'], ['commission.created'], 'pending'],
    [['commission.created'], ['*'], 'pending'],
    [['commission.created'], ['payout.created', 'commission.created'], 'pending'],
  ])('from %j to %j: what waits is %s', async (before, after, status) => {
    const endpointId = await endpointOf(before);
    await buildEvent(deps, scope);
    await subscribe(endpointId, after);
    expect(await statesOf(endpointId)).toEqual({ [`commission.created ${status}`]: 1 });
  });

  it('lets an attempt that is under way end, whose failure brings no retry', async () => {
    const endpointId = await endpointOf(['*']);
    await buildEvent(deps, scope);
    const { claims } = await claimSome(deps);
    const [claim] = claims.filter((one) => one.endpointId === endpointId);
    if (!claim) throw new Error('nothing was claimed');
    await subscribe(endpointId, ['payout.created']);

    const now = deps.clock.now();
    const answer = {
      ok: false,
      httpStatusCode: 500,
      errorMessage: 'no',
      durationMs: 1,
      responseBody: null,
      retryAfter: undefined,
    };
    const verdict = { status: 'retrying', nextAttemptAt: now, disablesEndpoint: false } as const;
    const results = [{ claim, at: now, answer, verdict, isAhead: false }];
    await recordAlone(db(), systemCause(now), { results, breakerFailures: 50 });
    expect(await seeDeliveries(deps, endpointId)).toMatchObject([
      { status: 'cancelled', attempts: 0, nextAttemptAt: null, leaseToken: null },
    ]);
  });

  it('gets what its merchant queues by hand afterwards, whatever is repaired', async () => {
    const endpointId = await endpointOf(['*']);
    const dead = await deliveryOf(endpointId, 'commission.created', 'dead_letter');
    const sent = await deliveryOf(endpointId, 'commission.created', 'succeeded');
    await subscribe(endpointId, ['payout.created']);
    const at = { endpointId, firstDelayMs: 0 };
    await retryDelivery(db(), context(), { ...at, deliveryId: dead });
    await replayDelivery(db(), context(), { ...at, deliveryId: sent });
    await repairWebhookDeliveries(db(), systemCause(deps.clock.now()));
    await relay();
    await subscribe(endpointId, ['payout.created', 'payout.completed']);
    expect(await statesOf(endpointId)).toEqual({
      'commission.created pending': 2,
      'commission.created succeeded': 1,
    });
  });
});

describe('the dead letters of an endpoint, queued again all at once', () => {
  it('are those of kinds that it still subscribes to; the others wait for a single order', async () => {
    const endpointId = await endpointOf(['*']);
    const gone = await deliveryOf(endpointId, 'commission.created', 'dead_letter');
    await deliveryOf(endpointId, 'payout.created', 'dead_letter');
    await subscribe(endpointId, ['payout.created']);
    const command = { endpointId, since: null, firstDelayMs: 0 };
    expect(await beginRequeue(db(), context(), command)).toBe(1);
    expect(await statesOf(endpointId)).toEqual({
      'commission.created dead_letter': 1,
      'payout.created pending': 1,
    });
    await retryDelivery(db(), context(), { endpointId, deliveryId: gone, firstDelayMs: 0 });
    await subscribe(endpointId, ['*']);
    expect(await beginRequeue(db(), context(), command)).toBe(0);
  });
});

describe('more than a batch of a kind', () => {
  const kind = 'commission.created';
  const other = 'payout.created';
  const more = rowsAtOnce + 20;

  it('is cancelled in part with the change, those first that are due first, and by the relay', async () => {
    const endpointId = await endpointOf(['*']);
    await backlog(endpointId, kind, more);
    await backlog(endpointId, other, 3);
    await buildEvent(deps, scope);
    const [first] = (await seeDeliveries(deps, endpointId)).slice(-1);

    await subscribe(endpointId, [other]);
    expect(await statesOf(endpointId)).toEqual({
      [`${kind} cancelled`]: rowsAtOnce,
      [`${kind} pending`]: 21,
      [`${other} pending`]: 3,
    });
    const after = await seeDeliveries(deps, endpointId);
    expect(after.find(({ id }) => id === first?.id)?.status).toBe('cancelled');

    expect(await relay()).toBe(1);
    expect(await statesOf(endpointId)).toEqual({
      [`${kind} cancelled`]: more + 1,
      [`${other} pending`]: 3,
    });
    expect(await relay()).toBe(0);
  });

  it('is found behind pages of what is still subscribed to, and none of that is touched', async () => {
    const endpointId = await endpointOf(['*']);
    await backlog(endpointId, other, 2 * more);
    await backlog(endpointId, kind, 3);

    await subscribe(endpointId, [other]);
    expect(await statesOf(endpointId)).toEqual({
      [`${kind} pending`]: 3,
      [`${other} pending`]: 2 * more,
    });
    expect([await relay(), await relay(), await relay()]).toEqual([1, 1, 0]);
    expect(await statesOf(endpointId)).toEqual({
      [`${kind} cancelled`]: 3,
      [`${other} pending`]: 2 * more,
    });
  });

  it('is cancelled to the last though an operator has retries made now meanwhile', async () => {
    const endpointId = await endpointOf(['*']);
    await backlog(endpointId, kind, more);
    await backlog(endpointId, other, 3);
    await execute(db(), `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1`);
    await subscribe(endpointId, [other]);
    const note = { operator: 'op-17', reasonCode: 'RECEIVER_FIXED' } as const;
    expect(await commandRetries(deps, { endpointId, order: 'retry_now', note })).toBe(3);
    expect(await relay()).toBe(1);
    expect(await statesOf(endpointId)).toEqual({
      [`${kind} cancelled`]: more,
      [`${other} retrying`]: 3,
    });
  });

  it('is left alone by the relay once it is subscribed to again', async () => {
    const endpointId = await endpointOf([kind, other]);
    await backlog(endpointId, kind, more);
    await subscribe(endpointId, [other]);
    await subscribe(endpointId, [kind, other]);
    expect(await relay()).toBe(1);
    expect(await statesOf(endpointId)).toEqual({
      [`${kind} cancelled`]: rowsAtOnce,
      [`${kind} pending`]: more - rowsAtOnce,
    });
  });

  it('waits for the next turn while somebody else has the endpoint', async () => {
    const endpointId = await endpointOf([kind, other]);
    await backlog(endpointId, kind, more);
    await subscribe(endpointId, [other]);
    await transaction(deps.db, async (rival) => {
      await query(rival, 'SELECT 1 FROM webhook_endpoints WHERE id = $1 FOR UPDATE', [endpointId]);
      expect(await relay()).toBe(0);
    });
    await execute(db(), `UPDATE outbox SET available_at = now() - interval '1 second'`);
    expect(await relay()).toBe(1);
    expect(await statesOf(endpointId)).toEqual({ [`${kind} cancelled`]: more });
  });
});
