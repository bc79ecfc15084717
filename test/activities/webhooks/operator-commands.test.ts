import {
  commandRetries,
  type RetriesCommandName,
} from '../../../activities/webhooks/operator-commands';
import { execute, queryOne } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildProgram } from '../../support/build/programs';
import { buildEndpoint, buildEvent, seeDeliveries } from '../../support/build/webhooks';

const deps = useDeps();
const note = { operator: 'op-17', reasonCode: 'RECEIVER_FIXED' } as const;

/** Paused, so that a probe was planned, with a retry that is an hour away. */
async function paused(failuresInRow: number): Promise<string> {
  const { workspaceId, mode } = await buildProgram(deps.db.manager);
  const { id } = await buildEndpoint(deps, { workspaceId, mode });
  await buildEvent(deps, { workspaceId, mode });
  await execute(
    deps.db.manager,
    `UPDATE webhook_endpoints SET failures_in_row = $2, retries_paused_at = now(),
       next_probe_at = now() + interval '50 seconds' WHERE id = $1`,
    [id, failuresInRow],
  );
  await execute(
    deps.db.manager,
    `UPDATE webhook_deliveries SET status = 'retrying', attempts = 1,
       next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = $1`,
    [id],
  );
  return id;
}

async function ordered(endpointId: string, order: RetriesCommandName) {
  const moved = await commandRetries(deps, { endpointId, order, note });
  const after = await queryOne<{ isPaused: boolean; probe: 'none' | 'now' | 'planned' }>(
    deps.db.manager,
    `SELECT retries_paused_at IS NOT NULL AS "isPaused",
            CASE WHEN next_probe_at IS NULL THEN 'none' WHEN next_probe_at <= now() THEN 'now'
                 ELSE 'planned' END AS probe
       FROM webhook_endpoints WHERE id = $1`,
    [endpointId],
  );
  return { moved, ...after };
}

const breakerFailures = (): number => deps.config.webhooks.breakerFailures;

describe('orders for the retries of an endpoint that was paused', () => {
  it('has the retries made now, and no probe, while the breaker is closed', async () => {
    const id = await paused(2);
    expect(await ordered(id, 'retry_now')).toEqual({ moved: 1, isPaused: false, probe: 'none' });
    const [retry] = await seeDeliveries(deps, id);
    expect(retry?.nextAttemptAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('has the probe made now while the breaker is open', async () => {
    const id = await paused(breakerFailures());
    expect(await ordered(id, 'retry_now')).toEqual({ moved: 0, isPaused: false, probe: 'now' });
  });

  it('leaves the probe of an open breaker alone when the retries are given up, and no other', async () => {
    const [open, closed] = [await paused(breakerFailures()), await paused(1)];
    const given = { moved: 1, isPaused: false };
    expect(await ordered(open, 'give_up')).toEqual({ ...given, probe: 'planned' });
    expect(await ordered(closed, 'give_up')).toEqual({ ...given, probe: 'none' });
  });
});
