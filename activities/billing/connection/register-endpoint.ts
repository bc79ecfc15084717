import { AppError } from '../../../entities/errors';
import { execute, queryOne, type Db } from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { retryFor, type RetryTime } from '../../../runtime/load/retry';
import type { BillerAccount, EndpointState, RegisteredEndpoint } from '../reader';
import {
  connectionColumns,
  connectionUrl,
  findConnectionById,
  type ConnectionRecord,
  type BillerDeps,
} from './connection';

export interface KeyTrial {
  connectionId: string;
  account: BillerAccount;
  fingerprint: string;
  /** The request brought a secret of its own. */
  hasSecret: boolean;
}

/** Tries the key, and registers our endpoint with it when nothing else gives us a secret. */
export async function tryKey(
  deps: BillerDeps,
  context: CommandContext,
  trial: KeyTrial,
): Promise<RegisteredEndpoint | null> {
  const { account } = trial;
  await account.check();
  if (trial.hasSecret) return null;

  const connection = await claimRegistration(deps.db.manager, context, trial.connectionId);
  try {
    const { registeredEndpointId: lost } = connection;
    const url = connectionUrl(deps.config, connection);
    const state = await stateOf(account, connection, url);
    if (state === 'kept') return null;
    const made = await account.register({
      url,
      // Stripe too gives the same endpoint for the same key, should an answer get lost; for a day
      // it would give one that was removed since as well.
      idempotencyKey: `connect-${connection.id}-${trial.fingerprint}${lost ? `-${lost}` : ''}`,
    });
    return { ...made, replaces: state === 'outdated' ? lost : null };
  } catch (error) {
    await releaseRegistration(deps.db.manager, context, connection.id);
    throw error;
  }
}

/**
 * Registers another endpoint in place of one of an older version and takes its secret; false when
 * the key may not, or a request registers one just now. Its caller removes the older one.
 */
export async function renewEndpoint(
  deps: BillerDeps,
  context: CommandContext,
  { id, account }: { id: string; account: BillerAccount },
): Promise<boolean> {
  const db = deps.db.manager;
  const connection = await claimOnce(db, context, id);
  const lost = connection?.registeredEndpointId;
  if (!connection || !lost) return false;
  try {
    const made = await account.register({
      url: connectionUrl(deps.config, connection),
      idempotencyKey: `renew-${id}-${lost}`,
    });
    const secret = deps.vault.encrypt(made.secret, ['stripe_connections.webhook_secret', id]);
    const stored = await execute(
      db,
      `UPDATE stripe_connections
          SET webhook_secret = $2, registered_endpoint_id = $3, registering_since = NULL
        WHERE id = $1 AND registered_endpoint_id = $4 AND deleted_at IS NULL`,
      [id, secret, made.id, lost],
    );
    return stored === 1;
  } catch {
    await releaseRegistration(db, context, id);
    return false;
  }
}

/**
 * A secret that a member put stays; ours stays too, unless the key is of another account, or the
 * endpoint is gone at Stripe or sends what we do not read.
 */
async function stateOf(
  account: BillerAccount,
  { webhookSecret, registeredEndpointId: ours }: ConnectionRecord,
  url: string,
): Promise<EndpointState> {
  if (webhookSecret === null) return 'gone';
  return ours === null ? 'kept' : account.keep({ id: ours, url });
}

/** Half a minute, longer than Stripe takes to register an endpoint. */
const whileAnotherRegisters: RetryTime = {
  forMs: 30_000,
  isWorthIt: (error) => error instanceof AppError && error.code === 'SERVICE_UNAVAILABLE',
};

/**
 * Equal requests at once register one endpoint: the first one claims it, the others wait and find
 * it done. A claim whose process died is free again after a minute. Gives the row as it is then.
 */
function claimRegistration(db: Db, context: CommandContext, id: string): Promise<ConnectionRecord> {
  return retryFor(whileAnotherRegisters, async () => {
    const claimed = await claimOnce(db, context, id);
    if (claimed) return claimed;
    if (!(await findConnectionById(db, id))) throw new AppError('NOT_FOUND');
    throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } });
  });
}

function claimOnce(
  db: Db,
  { scope }: CommandContext,
  id: string,
): Promise<ConnectionRecord | undefined> {
  return queryOne<ConnectionRecord>(
    db,
    `UPDATE stripe_connections AS c SET registering_since = now()
      WHERE c.id = $1 AND c.workspace_id = $2 AND c.mode = $3 AND c.deleted_at IS NULL
        AND (c.registering_since IS NULL OR c.registering_since < now() - interval '1 minute')
      RETURNING ${connectionColumns}`,
    [id, scope.workspaceId, scope.mode],
  );
}

async function releaseRegistration(db: Db, { scope }: CommandContext, id: string): Promise<void> {
  await execute(
    db,
    `UPDATE stripe_connections SET registering_since = NULL
      WHERE id = $1 AND workspace_id = $2 AND mode = $3`,
    [id, scope.workspaceId, scope.mode],
  );
}
