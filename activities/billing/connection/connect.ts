import { AppError, validationError } from '../../../entities/errors';
import type { Mode } from '../../../entities/rules/values/mode';
import {
  type Db,
  execute,
  queryOne,
  rowsAtOnce,
  sliceMs,
  transaction,
  type Tx,
} from '../../../entities/database/sql';
import type { CommandContext } from '../../journal/cause';
import { record } from '../../journal/record';
import { createStripeClient } from '../../../runtime/connections/stripe';
import type { Vault } from '../../../runtime/crypto/vault';
import { askForWaiting } from '../events/progress';
import { removeEndpoint } from '../stripe/check-key';
import { clientOf, ensureConnection, findConnection, type StripeDeps } from './connection';
import { tryKey } from './register-endpoint';

export interface ConnectCommand {
  /** Plain; undefined leaves the stored one. */
  restrictedKey?: string | undefined;
  webhookSecret?: string | undefined;
}

/**
 * Stores a key, a secret or both. A key is tried at Stripe first: STRIPE_KEY_REJECTED names what is
 * missing and nothing changes; SERVICE_UNAVAILABLE when Stripe cannot be asked. A key without any
 * secret registers our endpoint at Stripe, once, and uses its secret. With a first key, what Stripe has
 * told nobody since the connection exists is taken in later. Talks to the network: never inside a
 * transaction.
 */
export async function connectStripe(
  deps: StripeDeps,
  context: CommandContext,
  command: ConnectCommand,
): Promise<void> {
  const { scope, now } = context;
  assertSecrets(command, scope.mode);
  const { id } = await ensureConnection(deps.db.manager, context);
  const { restrictedKey: key, webhookSecret } = command;
  const fingerprint = key === undefined ? null : deps.vault.derive('stripe key', key);
  const hasSecret = webhookSecret !== undefined;
  const registered =
    key === undefined || fingerprint === null
      ? null
      : await tryKey(deps, context, { connectionId: id, key, fingerprint, hasSecret });
  const secret = webhookSecret ?? registered?.secret;

  await transaction(deps.db, async (tx) => {
    const changed = await execute(
      tx,
      `UPDATE stripe_connections
          SET restricted_key = coalesce($2, restricted_key),
              key_fingerprint = coalesce($3, key_fingerprint),
              webhook_secret = coalesce($4, webhook_secret),
              registered_endpoint_id = coalesce($5, registered_endpoint_id),
              registering_since = NULL, last_error = NULL, updated_at = $6,
              catch_up_since = CASE WHEN $2 IS NOT NULL AND restricted_key IS NULL
                                    THEN date_trunc('milliseconds', created_at)
                                    ELSE catch_up_since END
        WHERE id = $1 AND workspace_id = $7 AND mode = $8 AND deleted_at IS NULL`,
      [
        id,
        seal(deps, key, ['stripe_connections.restricted_key', id]),
        fingerprint,
        seal(deps, secret, ['stripe_connections.webhook_secret', id]),
        registered?.id ?? null,
        now,
        scope.workspaceId,
        scope.mode,
      ],
    );
    if (changed === 0) throw new AppError('NOT_FOUND');
    await audit(tx, context, { action: 'stripe.connected', id });
  });
  if (key === undefined) return;
  // Events of its time are signed with the secret that has just been replaced: Stripe has both.
  if (registered?.replaces) {
    await removeEndpoint(createStripeClient(deps.config, key), registered.replaces);
  }
  await takeUpWaiting(deps, context);
}

function seal(
  { vault }: StripeDeps,
  secret: string | undefined,
  place: Parameters<Vault['encrypt']>[1],
): string | null {
  return secret === undefined ? null : vault.encrypt(secret, place);
}

/** A good key reads what events waited for: each goes its way once more. What some seconds leave waits for the same key to be put again. */
async function takeUpWaiting({ db }: StripeDeps, context: CommandContext): Promise<void> {
  const until = performance.now() + sliceMs;
  while (performance.now() < until) {
    const taken = await transaction(db, (tx) => askForWaiting(tx, context));
    if (taken < rowsAtOnce) return;
  }
}

function assertSecrets({ restrictedKey, webhookSecret }: ConnectCommand, mode: Mode): void {
  if (restrictedKey === undefined && webhookSecret === undefined) {
    throw validationError('body', 'give restrictedKey, webhookSecret or both');
  }
  const key = new RegExp(`^(rk|sk)_${mode}_[A-Za-z0-9_]{1,400}$`);
  if (restrictedKey !== undefined && !key.test(restrictedKey)) {
    throw validationError('restrictedKey', `must be an rk_${mode}_ or sk_${mode}_ key`);
  }
  // Stripe says no more of its form than how it begins; what is shorter than this can be guessed.
  if (webhookSecret !== undefined && !/^whsec_[\x21-\x7e]{10,400}$/.test(webhookSecret)) {
    throw validationError('webhookSecret', 'must be whsec_ and at least 10 characters more');
  }
}

/**
 * Ends the connection: its path answers 404 from now on and its secrets are gone. The endpoint that
 * we registered is removed at Stripe first; SERVICE_UNAVAILABLE, and nothing changed, when Stripe
 * cannot be asked. Without a connection there is nothing to do.
 */
export async function disconnectStripe(deps: StripeDeps, context: CommandContext): Promise<void> {
  const connection = await findConnection(deps.db.manager, context.scope);
  if (!connection) return;
  const { id, registeredEndpointId: ours, restrictedKey } = connection;
  if (ours !== null && restrictedKey !== null) {
    await removeEndpoint(clientOf(deps, { id, restrictedKey }), ours);
  }
  await forgetStripe(deps.db.manager, context);
}

/** Ends the connection on our side alone, whatever is left at Stripe. */
export async function forgetStripe(db: Db, context: CommandContext): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    const ended = await queryOne<{ id: string }>(
      tx,
      `UPDATE stripe_connections
          SET deleted_at = $1, updated_at = $1, restricted_key = NULL, key_fingerprint = NULL,
              webhook_secret = NULL, last_error = NULL
        WHERE workspace_id = $2 AND mode = $3 AND deleted_at IS NULL RETURNING id`,
      [now, scope.workspaceId, scope.mode],
    );
    if (ended) await audit(tx, context, { action: 'stripe.disconnected', id: ended.id });
  });
}

async function audit(
  tx: Tx,
  context: CommandContext,
  { action, id }: { action: string; id: string },
): Promise<void> {
  await record(tx, context, { audit: { action, target: { type: 'stripe_connection', id } } });
}
