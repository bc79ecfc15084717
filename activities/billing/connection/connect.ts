import { AppError } from '../../../entities/errors';
import type { Biller } from '../../../entities/rules/billing/biller';
import type { Scope } from '../../../entities/rules/values/mode';
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
import type { Vault } from '../../../runtime/crypto/vault';
import { switchOffLeftCodes } from '../codes/switch-off';
import { askForUnreadCodes, askForWaiting } from '../events/progress';
import { accountOf, ensureConnection, findConnection, type BillerDeps } from './connection';
import { readDisputesNext } from '../disputes';
import { readerOf } from '../readers';
import type { Secrets } from '../reader';
import { tryKey } from './register-endpoint';

export interface ConnectCommand extends Secrets {
  biller: Biller;
}

/**
 * Stores a key, a secret or both. A key is tried at the biller first: STRIPE_KEY_REJECTED or
 * BILLER_KEY_REJECTED names what is missing and nothing changes; SERVICE_UNAVAILABLE when the biller
 * cannot be asked. A key without any secret registers our endpoint there, once, and uses its secret. With a
 * first key of Stripe's, what it has told nobody since the connection exists is taken in later. Talks to
 * the network: never inside a transaction.
 */
export async function connectBiller(
  deps: BillerDeps,
  context: CommandContext,
  command: ConnectCommand,
): Promise<void> {
  const { scope, now } = context;
  const { biller, key, webhookSecret } = command;
  const reader = readerOf(biller);
  reader.assertSecrets(command, scope.mode);
  const { id } = await ensureConnection(deps.db.manager, context, biller);
  const account = key === undefined ? null : reader.account(deps.config, { ...scope, key });
  const fingerprint = key === undefined ? null : deps.vault.derive('stripe key', key);
  const hasSecret = webhookSecret !== undefined;
  const trial = account && fingerprint !== null && { connectionId: id, account, fingerprint };
  const registered = trial ? await tryKey(deps, context, { ...trial, hasSecret }) : null;
  await transaction(deps.db, async (tx) => {
    const secret = webhookSecret ?? registered?.secret;
    await store(tx, deps, {
      ...{ id, scope, now, biller, key, secret, fingerprint },
      endpointId: registered?.id ?? null,
    });
    if (key !== undefined) await switchOffLeftCodes(tx, context, biller);
    await audit(tx, context, { biller, what: 'connected', id });
  });
  if (account === null) return;
  // Events of its time are signed with the secret that has just been replaced: the biller has both.
  if (registered?.replaces) await account.remove(registered.replaces);
  await takeUpWaiting(deps, context, biller);
  await readDisputesNext(deps, context, id);
}

interface Stored {
  id: string;
  scope: Scope;
  now: Date;
  biller: Biller;
  key: string | undefined;
  secret: string | undefined;
  fingerprint: string | null;
  endpointId: string | null;
}

async function store(
  tx: Tx,
  deps: BillerDeps,
  { id, scope, now, biller, key, secret, fingerprint, endpointId }: Stored,
): Promise<void> {
  const changed = await execute(
    tx,
    `UPDATE stripe_connections
        SET restricted_key = coalesce($2, restricted_key),
            key_fingerprint = coalesce($3, key_fingerprint),
            webhook_secret = coalesce($4, webhook_secret),
            registered_endpoint_id = coalesce($5, registered_endpoint_id),
            registering_since = NULL, last_error = NULL, updated_at = $6,
            created_at = CASE WHEN $9 OR restricted_key IS NOT NULL OR webhook_secret IS NOT NULL
                              THEN created_at ELSE $6 END,
            catch_up_since = CASE WHEN $2 IS NOT NULL AND restricted_key IS NULL AND $9
                                  THEN date_trunc('milliseconds', created_at)
                                  ELSE catch_up_since END,
            read_began_at = CASE WHEN $2 IS NOT NULL AND restricted_key IS NULL
                                 THEN $6 ELSE read_began_at END,
            read_until = CASE WHEN $2 IS NOT NULL AND restricted_key IS NULL AND NOT $9
                              THEN $6 ELSE read_until END,
            disputes_read_at = CASE WHEN $2 IS NULL THEN disputes_read_at END
      WHERE id = $1 AND workspace_id = $7 AND mode = $8 AND deleted_at IS NULL`,
    [
      id,
      seal(deps, key, ['stripe_connections.restricted_key', id]),
      fingerprint,
      seal(deps, secret, ['stripe_connections.webhook_secret', id]),
      endpointId,
      now,
      scope.workspaceId,
      scope.mode,
      readerOf(biller).firstKeyReads !== 'nothing',
    ],
  );
  if (changed === 0) throw new AppError('NOT_FOUND');
}

function seal(
  { vault }: BillerDeps,
  secret: string | undefined,
  place: Parameters<Vault['encrypt']>[1],
): string | null {
  return secret === undefined ? null : vault.encrypt(secret, place);
}

/** A good key reads what events waited for: each goes its way once more. What some seconds leave waits for the same key to be put again. */
async function takeUpWaiting(
  { db }: BillerDeps,
  context: CommandContext,
  biller: Biller,
): Promise<void> {
  const until = performance.now() + sliceMs;
  for (const ask of [askForWaiting, askForUnreadCodes]) {
    let taken = rowsAtOnce;
    while (taken === rowsAtOnce && performance.now() < until)
      taken = await transaction(db, (tx) => ask(tx, context, biller));
  }
}

/**
 * Ends the connection: its path answers 404 from now on and its secrets are gone. The endpoint that
 * we registered is removed at the biller first; SERVICE_UNAVAILABLE, and nothing changed, when that
 * cannot be asked. Without a connection there is nothing to do.
 */
export async function disconnectBiller(
  deps: BillerDeps,
  context: CommandContext,
  biller: Biller,
): Promise<void> {
  const connection = await findConnection(deps.db.manager, context.scope, biller);
  if (!connection) return;
  const { registeredEndpointId: ours, restrictedKey } = connection;
  if (ours !== null && restrictedKey !== null) {
    await accountOf(deps, { ...connection, restrictedKey }).remove(ours);
  }
  await forgetBiller(deps.db.manager, context, biller);
}

/** Ends the connection on our side alone, whatever is left at the biller. */
export async function forgetBiller(db: Db, context: CommandContext, biller: Biller): Promise<void> {
  const { scope, now } = context;
  await transaction(db, async (tx) => {
    const ended = await queryOne<{ id: string }>(
      tx,
      `UPDATE stripe_connections
          SET deleted_at = $1, updated_at = $1, restricted_key = NULL, key_fingerprint = NULL,
              webhook_secret = NULL, last_error = NULL
        WHERE workspace_id = $2 AND mode = $3 AND biller = $4 AND deleted_at IS NULL RETURNING id`,
      [now, scope.workspaceId, scope.mode, biller],
    );
    if (ended) await audit(tx, context, { biller, what: 'disconnected', id: ended.id });
  });
}

async function audit(
  tx: Tx,
  context: CommandContext,
  { biller, what, id }: { biller: Biller; what: 'connected' | 'disconnected'; id: string },
): Promise<void> {
  const target = { type: `${biller}_connection`, id };
  await record(tx, context, { audit: { action: `${biller}.${what}`, target } });
}
