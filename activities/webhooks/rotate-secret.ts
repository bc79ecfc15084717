import { execute, transaction, type Db } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { newSigningSecret } from '../../runtime/crypto/webhook-signature';
import type { Deps } from '../../runtime/process/deps';
import { auditEndpoint } from './endpoints';
import { lockEndpoint } from './read';
import { hourMs } from '../../entities/rules/values/duration';

/**
 * A new secret, valid at once. For `overlapHours` the one before signs too; without an overlap it
 * is dead, and so is the one of a rotation that still ran. WEBHOOK_NOT_FOUND.
 */
export async function rotateSecret(
  { db, vault }: Pick<Deps, 'vault'> & { db: Db },
  context: CommandContext,
  { endpointId, overlapHours }: { endpointId: string; overlapHours: number },
): Promise<string> {
  const signingSecret = newSigningSecret();
  await transaction(db, async (tx) => {
    const endpoint = await lockEndpoint(tx, context.scope, endpointId);
    const overlaps = overlapHours > 0;
    await execute(
      tx,
      `UPDATE webhook_endpoints
          SET secret_encrypted = $2, previous_secret_encrypted = $3, previous_secret_until = $4,
              updated_at = $5
        WHERE id = $1`,
      [
        endpoint.id,
        vault.encrypt(signingSecret, ['webhook_endpoints.secret', endpoint.id]),
        overlaps ? endpoint.secretEncrypted : null,
        overlaps ? new Date(context.now.getTime() + overlapHours * hourMs) : null,
        context.now,
      ],
    );
    await auditEndpoint(tx, context, { id: endpoint.id, action: 'webhook.secret_rotated' });
  });
  return signingSecret;
}
