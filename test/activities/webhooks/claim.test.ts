import { systemCause } from '../../../activities/journal/cause';
import type { Claims } from '../../../activities/webhooks/delivery/claim';
import { advanceRetries } from '../../../activities/webhooks/delivery/clock';
import { repairWebhookDeliveries } from '../../../activities/webhooks/repair';
import { execute, query, transaction } from '../../../entities/database/sql';
import type { Scope } from '../../../entities/rules/values/mode';
import { useDeps } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildEndpoint, buildEvents, fanOutAll, seeDeliveries } from '../../support/build/webhooks';
import { asOwner } from '../../support/database';
import { eventually } from '../../support/eventually';
import { claimSome } from '../../support/workers/claiming';

const deps = useDeps();
let scope: Scope;
beforeEach(async () => {
  const { workspaceId } = await buildMember(deps.db.manager);
  scope = { workspaceId, mode: 'test' };
});
afterEach(() => asOwner(deps.config.databaseUrl, 'DELETE FROM webhook_deliveries'));

const forget = (eventIds: readonly string[]) =>
  asOwner(deps.config.databaseUrl, 'DELETE FROM events WHERE id = ANY ($1)', [eventIds]);

async function endpointsWith(endpoints: number, each: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < endpoints; n += 1) ids.push((await buildEndpoint(deps, scope)).id);
  await fanOutAll(deps, await buildEvents(deps, scope, each));
  return ids.sort();
}

const claim = (limit: number, afterEndpointId: string | null = null): Promise<Claims> =>
  claimSome(deps, { limit, afterEndpointId });

const endpointsOf = ({ claims }: Claims) => [
  ...new Set(claims.map(({ endpointId }) => endpointId)),
];

describe('a probe', () => {
  it('passes over a delivery whose event is gone, which no repair finds behind newer ones', async () => {
    const { id: endpointId } = await buildEndpoint(deps, scope);
    const [oldest, ...newer] = await buildEvents(deps, scope, 18);
    await fanOutAll(deps, [String(oldest)]);
    const [orphan] = await seeDeliveries(deps, endpointId);
    await fanOutAll(deps, newer);
    await execute(
      deps.db.manager,
      `UPDATE webhook_deliveries SET next_attempt_at = now() - interval '1 hour' WHERE id <> $1`,
      [orphan?.id],
    );
    await execute(
      deps.db.manager,
      'UPDATE webhook_endpoints SET failures_in_row = 50 WHERE id = $1',
      [endpointId],
    );
    await forget([String(oldest)]);

    const now = new Date(Date.now() + 32 * 86_400_000);
    await repairWebhookDeliveries(deps.db.manager, systemCause(now));
    const left = await seeDeliveries(deps, endpointId);
    expect(left.filter(({ status }) => status === 'pending')).toHaveLength(18);
    const others = left.map(({ id }) => id).filter((id) => id !== orphan?.id);
    deps.clock.set(now);
    await advanceRetries(deps, endpointId);
    deps.clock.set(undefined);
    const { claims } = await claimSome(deps, { now });
    expect(claims.map(({ id }) => id)).toEqual([others.sort()[0]]);
  });
});

describe('a claim', () => {
  it('that loses what it chose to another says so, and where to go on', async () => {
    const [first, second, third] = await endpointsWith(3, 8);
    await transaction(deps.db, async (rival) => {
      await query(
        rival,
        'SELECT 1 FROM webhook_deliveries WHERE endpoint_id = $1 FOR NO KEY UPDATE',
        [first],
      );
      expect(await claim(8)).toEqual({ claims: [], behindEndpointId: first, lost: 8 });
      const rest = await claim(100);
      expect(rest).toMatchObject({ behindEndpointId: null, lost: 8 });
      expect(endpointsOf(rest).sort()).toEqual([second, third]);
    });
    const last = await claim(8);
    expect([endpointsOf(last), last.lost]).toEqual([[first], 0]);
  });

  it('goes on behind endpoints of whose deliveries none can be sent', async () => {
    const [first] = await endpointsWith(2, 8);
    const rows = await seeDeliveries(deps, first ?? '');
    await forget(rows.map(({ eventId }) => eventId));
    expect(await claim(8)).toEqual({ claims: [], behindEndpointId: first, lost: 0 });
  });

  it('takes with another of the same moment more than it would alone, and nothing twice', async () => {
    await endpointsWith(4, 8);
    const most = 16;
    const taker = async (): Promise<string[]> => {
      const mine: string[] = [];
      let cursor: string | null = null;
      await eventually(async () => {
        const { claims, behindEndpointId } = await claim(most - mine.length, cursor);
        cursor = behindEndpointId;
        mine.push(...claims.map(({ id }) => id));
        return mine.length === most ? true : undefined;
      });
      return mine;
    };
    const taken = (await Promise.all([taker(), taker()])).flat();
    expect(new Set(taken).size).toBe(2 * most);
  });
});
