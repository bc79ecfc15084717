import { ensureConnection, connectionUrl } from '../../activities/billing/connection/connection';
import { problemsOf } from '../../activities/billing/connection/problems';
import { commandContextOf, type CommandContext } from '../../activities/journal/cause';
import type { Biller } from '../../entities/rules/billing/biller';
import type { Deps } from '../../runtime/process/deps';
import { findLastEvent } from './billers.queries';

/**
 * The caller's connection to a biller, made when there is none. Secrets never leave: only whether they are
 * there, the key by the name that each answer has for it.
 */
export async function readConnection(ctx: CommandContext & { deps: Deps }, biller: Biller) {
  const { config, db } = ctx.deps;
  const connection = await ensureConnection(db.manager, commandContextOf(ctx), biller);
  const lastEvent = await findLastEvent(db.manager, ctx.scope, connection.id);
  const { lastError, missingKinds } = await problemsOf(db.manager, connection);
  const { id, mode, restrictedKey, webhookSecret } = connection;
  const working = lastError === null ? 'connected' : 'error';
  return {
    connectionId: id,
    mode,
    status: webhookSecret === null ? 'not_connected' : working,
    url: connectionUrl(config, connection),
    hasApiKey: restrictedKey !== null,
    hasRestrictedKey: restrictedKey !== null,
    hasWebhookSecret: webhookSecret !== null,
    lastEventAt: lastEvent?.receivedAt ?? null,
    lastEventType: lastEvent?.type ?? null,
    lastError,
    missingKinds,
  } as const;
}
