import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../entities/errors';
import { execute, queryOne, type Db } from '../../../entities/database/sql';
import { createStripeClient, type StripeClient } from '../../runtime/connections/stripe';
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
  trial: KeyTrial,
): Promise<RegisteredEndpoint | null> {
  const client = createStripeClient(deps.config, trial.key);
  await checkStripeKey(client);
  if (trial.hasSecret) return null;

  const connection = await claimRegistration(deps.db.manager, trial.connectionId);
  try {
    return (await needsEndpoint(client, connection, trial.fingerprint))
      ? await registerEndpoint(client, {
          url: connectionUrl(deps.config, connection.id),
          // Stripe too gives the same endpoint for the same key, should an answer get lost.
          idempotencyKey: `connect-${connection.id}-${trial.fingerprint}`,
        })
      : null;
  } catch (error) {
    await releaseRegistration(deps.db.manager, connection.id);
    throw error;
  }
}

/** A secret that somebody put stays; ours stays too, unless the key is of another account. */
async function needsEndpoint(
  client: StripeClient,
  { webhookSecret, registeredEndpointId: ours, keyFingerprint }: ConnectionRecord,
  fingerprint: string,
): Promise<boolean> {
  if (webhookSecret === null) return true;
  if (ours === null || keyFingerprint === fingerprint) return false;
  return !(await endpointExists(client, ours));
}

const claimLooks = 150;
const claimLookMs = 200;

/**
 * Equal requests at once register one endpoint: the first one claims it, the others wait and find
 * it done. A claim whose process died is free again after a minute. Gives the row as it is then.
 */
async function claimRegistration(db: Db, id: string): Promise<ConnectionRecord> {
  for (let look = 1; look <= claimLooks; look += 1) {
    const claimed = await queryOne<ConnectionRecord>(
      db,
      `UPDATE stripe_connections SET registering_since = now()
        WHERE id = $1 AND deleted_at IS NULL
          AND (registering_since IS NULL OR registering_since < now() - interval '1 minute')
        RETURNING ${connectionColumns}`,
      [id],
    );
    if (claimed) return claimed;
    if (!(await findConnectionById(db, id))) throw new AppError('NOT_FOUND');
    await sleep(claimLookMs);
  }
  throw new AppError('SERVICE_UNAVAILABLE', { headers: { 'Retry-After': '10' } });
}

async function releaseRegistration(db: Db, id: string): Promise<void> {
  await execute(db, 'UPDATE stripe_connections SET registering_since = NULL WHERE id = $1', [id]);
}
