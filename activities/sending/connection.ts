import { insertAll } from '../../entities/database/insert-all';
import { findOne } from '../../entities/database/find';
import { execute, query, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { newId } from '../../entities/ids';
import type { PayoutProviderName } from '../../entities/rules/payouts/providers';
import type { Scope } from '../../entities/rules/values/mode';
import { PayoutConnection } from '../../entities/tables/payouts/payout-connection.entity';
import type { ProviderAccess } from '../../runtime/payout-providers/provider';
import { providerNamed } from '../../runtime/payout-providers/providers';
import type { Deps } from '../../runtime/process/deps';
import type { Confirmed } from '../accounts/two-factor/changes';
import { spendCode } from '../accounts/two-factor/codes';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { notifyAdmins } from '../notifications/security';

export type SendingDeps = Pick<Deps, 'db' | 'config' | 'vault' | 'vendors' | 'clock'>;

export interface Credential {
  provider: PayoutProviderName;
  clientId: string;
  clientSecret: string;
}

/** The providers' names for people. */
const shownNames: Readonly<Record<PayoutProviderName, string>> = { paypal: 'PayPal' };

/** The connection of a workspace in one mode; undefined when there is none. */
export function findConnection(
  db: Db,
  { workspaceId, mode }: Scope,
  { provider, lock }: { provider: PayoutProviderName; lock?: 'UPDATE' },
): Promise<PayoutConnection | undefined> {
  const where = { workspaceId, mode, provider };
  return findOne(db, PayoutConnection, { where, ...(lock && { lock }) });
}

/** How the provider is asked with a credential; `hold` is awaited before each request. */
export function accessOf(
  { config, vendors }: Pick<SendingDeps, 'config' | 'vendors'>,
  { mode }: Pick<Scope, 'mode'>,
  {
    provider,
    clientId,
    clientSecret,
    hold = () => Promise.resolve(),
  }: Credential & Partial<Pick<ProviderAccess, 'hold'>>,
): ProviderAccess {
  const { bases, timeoutMs } = config.payouts;
  return { http: vendors, mode, base: bases[provider], clientId, clientSecret, timeoutMs, hold };
}

/** The secret of a connection, in plain. */
export function credentialOf(
  { vault }: Pick<SendingDeps, 'vault'>,
  { id, provider, clientId, clientSecret }: PayoutConnection,
): Credential {
  const plain = vault.decrypt(clientSecret, ['payout_connections.client_secret', id]);
  return { provider, clientId, clientSecret: plain };
}

/**
 * Tries a credential at the provider and changes nothing: PROVIDER_KEY_REJECTED names what is missing,
 * PROVIDER_IN_USE for another account while payouts are on their way, SERVICE_UNAVAILABLE when the provider
 * does not answer. Talks to the network: never inside a transaction.
 */
export async function tryCredential(
  deps: SendingDeps,
  { scope }: Pick<CommandContext, 'scope'>,
  credential: Credential,
): Promise<void> {
  await refuseOtherAccount(deps.db.manager, scope, credential);
  const provider = providerNamed(credential.provider);
  const answer = await provider.connect(accessOf(deps, scope, credential));
  if (answer.kind === 'good') return;
  const { message } = answer;
  if (answer.kind === 'rejected') throw new AppError('PROVIDER_KEY_REJECTED', { message });
  throw new AppError('SERVICE_UNAVAILABLE', { message, headers: { 'Retry-After': '10' } });
}

/** Keeps a credential that was tried, with the code that confirmed it. PROVIDER_IN_USE, TWO_FACTOR_INVALID. */
export async function connectProvider(
  { db, vault }: Pick<SendingDeps, 'db' | 'vault'>,
  context: CommandContext,
  { credential, confirmed }: { credential: Credential; confirmed: Confirmed },
): Promise<void> {
  const { scope, now } = context;
  const { workspaceId, mode } = scope;
  const { provider, clientId, clientSecret } = credential;
  await transaction(db, async (tx) => {
    // The connection is locked before anything is checked: a send that is being written holds it,
    // and is seen once it is done.
    const known = await findConnection(tx, scope, { provider, lock: 'UPDATE' });
    await refuseOtherAccount(tx, scope, credential);
    await spendCode(tx, context, confirmed);
    const id = known?.id ?? newId(now);
    const sealed = vault.encrypt(clientSecret, ['payout_connections.client_secret', id]);
    const own = { id, workspaceId, mode, provider, clientId, clientSecret: sealed };
    const written = await insertAll(tx, {
      into: PayoutConnection,
      rows: [{ ...own, lastError: null, createdAt: now, updatedAt: now }],
      onConflict: `ON CONFLICT ON CONSTRAINT uq_payout_connection DO UPDATE
        SET client_id = EXCLUDED.client_id, client_secret = EXCLUDED.client_secret,
            last_error = NULL, updated_at = EXCLUDED.updated_at
        WHERE payout_connections.id = EXCLUDED.id`,
    });
    // Somebody else connected at the same moment: their secret is bound to a row of its own.
    if (written === 0) throw new AppError('SERVICE_UNAVAILABLE');
    await tell(tx, context, { provider, id, change: 'connected' });
  });
}

/** Ends a connection, and the watch for what comes back. PROVIDER_IN_USE while payouts are on their way. */
export async function disconnectProvider(
  db: Db,
  context: CommandContext,
  provider: PayoutProviderName,
): Promise<void> {
  await transaction(db, async (tx) => {
    const known = await findConnection(tx, context.scope, { provider, lock: 'UPDATE' });
    if (!known) return;
    if (await isSending(tx, context.scope, provider)) throw new AppError('PROVIDER_IN_USE');
    await execute(tx, 'DELETE FROM payout_connections WHERE id = $1', [known.id]);
    await tell(tx, context, { provider, id: known.id, change: 'disconnected' });
  });
}

async function refuseOtherAccount(
  db: Db,
  scope: Scope,
  { provider, clientId }: Credential,
): Promise<void> {
  const known = await findConnection(db, scope, { provider });
  if (!known || known.clientId === clientId) return;
  if (await isSending(db, scope, provider)) throw new AppError('PROVIDER_IN_USE');
}

/** Whether money of the workspace may be on its way by this provider. */
async function isSending(
  db: Db,
  { workspaceId, mode }: Scope,
  provider: PayoutProviderName,
): Promise<boolean> {
  const rows = await query(
    db,
    `SELECT 1 FROM payout_batches AS b
      WHERE b.workspace_id = $1 AND b.mode = $2 AND b.provider = $3
        AND b.status IN ('trying', 'taken', 'attention')
        AND EXISTS (SELECT 1 FROM payout_batch_items AS i
                     WHERE i.batch_id = b.id AND i.outcome = 'sending') LIMIT 1`,
    [workspaceId, mode, provider],
  );
  return rows.length > 0;
}

async function tell(
  tx: Tx,
  context: CommandContext,
  told: { provider: PayoutProviderName; id: string; change: 'connected' | 'disconnected' },
): Promise<void> {
  const { provider, id, change } = told;
  const audit = {
    action: `payout_provider.${change}`,
    target: { type: 'payout_connection', id },
  };
  await record(tx, context, { audit });
  await notifyAdmins(tx, context, {
    type: `security.payout_provider_${change}`,
    data: { connectionId: id },
    facts: { name: shownNames[provider], mode: context.scope.mode },
  });
}
