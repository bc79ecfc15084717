import { AppError } from '../../../entities/errors';
import { execute, queryOne, type Db } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { retry, waits, type RetryPolicy } from '../../../runtime/load/retry';
import { createStripeClient, type StripeClient } from '../../../runtime/connections/stripe';
import {
  checkStripeKey,
  endpointExists,
  registerEndpoint,
  type RegisteredEndpoint,
} from './check-key';
import {
  connectionColumns,
  connectionUrl,
  findConnectionById,
  type ConnectionRecord,
  type StripeDeps,
} from './connection';

export interface KeyTrial {
  connectionId: string;
  key: string;
  fingerprint: string;
  /** The request brought a secret of its own. */
  hasSecret: boolean;
}

/** Tries the key, and registers our endpoint with it when nothing else gives us a secret. */
export async function tryKey(
  deps: StripeDeps,
  context: CommandContext,
  trial: KeyTrial,
): Promise<RegisteredEndpoint | null> {
  const client = createStripeClient(deps.config, trial.key);
  await checkStripeKey(client);
  if (trial.hasSecret) return null;

  const connection = await claimRegistration(deps.db.manager, context, trial.connectionId);
  try {
    if (!(await needsEndpoint(client, connection))) return null;
    const { registeredEndpointId: lost } = connection;
    return await registerEndpoint(client, {
      url: connectionUrl(deps.config, connection.id),
      // Stripe too gives the same endpoint for the same key, should an answer get lost; for a day
      // it would give one that was removed since as well.
      idempotencyKey: `connect-${connection.id}-${trial.fingerprint}${lost ? `-${lost}` : ''}`,
    });
  } catch (error) {
    await releaseRegistration(deps.db.manager, context, connection.id);
    throw error;
  }
}

/**
 * A secret that a member put stays; ours stays too, unless the key is of another account or the
 * endpoint is gone at Stripe.
 */
async function needsEndpoint(
  client: StripeClient,
  { webhookSecret, registeredEndpointId: ours }: ConnectionRecord,
): Promise<boolean> {
  if (webhookSecret === null) return true;
  return ours !== null && !(await endpointExists(client, ours));
}

/** Half a minute, longer than Stripe takes to register an endpoint. */
const whileAnotherRegisters: RetryPolicy = {
  waitsMs: waits(200, 149),
  isWorthIt: (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE',
};

/**
 * Equal requests at once register one endpoint: the first one claims it, the others wait and find
 * it done. A claim whose process died is free again after a minute. Gives the row as it is then.
 */
function claimRegistration(db: Db, context: CommandContext, id: string): Promise<ConnectionRecord> {
  const { workspaceId, mode } = context.scope;
  return retry(whileAnotherRegisters, async () => {
    const claimed = await queryOne<ConnectionRecord>(
      db,
      `UPDATE stripe_connections AS c SET registering_since = now()
        WHERE c.id = $1 AND c.workspace_id = $2 AND c.mode = $3 AND c.deleted_at IS NULL
          AND (c.registering_since IS NULL OR c.registering_since < now() - interval '1 minute')
        RETURNING ${connectionColumns}`,
      [id, workspaceId, mode],
    );
    if (claimed) return claimed;
    if (!(await findConnectionById(db, id))) throw new AppError('NOT_FOUND');
    throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } });
  });
}

async function releaseRegistration(db: Db, { scope }: CommandContext, id: string): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_connections SET registering_since = NULL
      WHERE id = $1 AND workspace_id = $2 AND mode = $3`,
    [id, scope.workspaceId, scope.mode],
  );
}
