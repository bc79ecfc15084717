import { execute, queryOne, transaction } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { billerNames, type Biller } from '../../../entities/rules/billing/biller';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Cause, CommandContext } from '../../journal/cause';
import { tellFailing } from '../events/give-up';
import { awaitRead, usualReadGapMs } from '../events/pace';
import { needsAttention } from '../events/waiting';
import {
  accountOf,
  connectionColumns,
  connectionUrl,
  scopeOf,
  type ConnectionRecord,
  type BillerDeps,
} from './connection';
import { renewEndpoint } from './register-endpoint';
import { dayMs } from '../../../entities/rules/values/duration';

/**
 * Looks after the connection that has waited longest, each once a day: its endpoint there is
 * brought up to date, and the workspace is notified of what has waited for more than a day. Gives how
 * many that were. Talks to the network: never inside a transaction.
 */
export async function keepNextConnection(deps: BillerDeps, cause: Cause): Promise<number> {
  const connection = await queryOne<ConnectionRecord>(
    deps.db.manager,
    `UPDATE stripe_connections AS c SET kept_at = $1
      WHERE c.id = (SELECT id FROM stripe_connections
                     WHERE deleted_at IS NULL AND webhook_secret IS NOT NULL
                       AND (kept_at IS NULL OR kept_at < $2)
                     ORDER BY kept_at NULLS FIRST LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING ${connectionColumns}`,
    [cause.now, new Date(cause.now.getTime() - dayMs)],
  );
  if (!connection) return 0;
  const context = { ...cause, actor: systemActor, scope: scopeOf(connection) };
  await tellWaiting(deps, context, connection.biller);
  await keepOwnEndpoint(deps, context, connection);
  return 1;
}

const endpointGone = (biller: Biller): string =>
  `The endpoint that we registered at ${billerNames[biller]} is gone: put the ${biller === 'stripe' ? 'restricted key' : 'key'} once more.`;

async function keepOwnEndpoint(
  deps: BillerDeps,
  context: CommandContext,
  connection: ConnectionRecord,
): Promise<void> {
  const { id, biller, mode, restrictedKey, registeredEndpointId: ours } = connection;
  if (ours === null || restrictedKey === null) return;
  const account = accountOf(deps, { id, biller, mode, restrictedKey });
  const url = connectionUrl(deps.config, connection);
  // The call may ask and then change: two requests.
  await awaitRead(deps.db.manager, id, 2 * usualReadGapMs);
  const state = await account.keep({ id: ours, url });
  if (state === 'outdated') {
    // A key that may not register leaves the one that is there. To register and to remove: two calls.
    await awaitRead(deps.db.manager, id, 2 * usualReadGapMs);
    if (await renewEndpoint(deps, context, { id, account })) await account.remove(ours);
    return;
  }
  const gone = endpointGone(biller);
  // Somebody has to decide whether it is registered again: it may have been deleted on purpose.
  await execute(
    deps.db.manager,
    `UPDATE stripe_connections SET last_error = $2
      WHERE id = $1 AND registered_endpoint_id = $3
        AND CASE WHEN $2::text IS NULL THEN last_error = $4 ELSE last_error IS NULL END`,
    [id, state === 'gone' ? gone : null, ours, gone],
  );
}

/** One notice a day, as long as something waits. */
async function tellWaiting(
  { db }: BillerDeps,
  context: CommandContext,
  biller: Biller,
): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    const row = await queryOne<{ waiting: number }>(
      tx,
      `SELECT count(*) AS waiting FROM stripe_events AS e
        WHERE e.workspace_id = $1 AND e.mode = $2 AND e.biller = $4 AND ${needsAttention}
          AND e.received_at < $3`,
      [scope.workspaceId, scope.mode, new Date(now.getTime() - dayMs), biller],
    );
    if (!row || row.waiting === 0) return;
    const facts = { waiting: row.waiting };
    await tellFailing(tx, context, { biller, causeId: newId(), data: {}, facts });
  });
}
