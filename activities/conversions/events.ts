import type { Scope } from '../../entities/rules/values/mode';
import { queryOne, type Tx } from '../../entities/database/sql';
import { findConversion } from './rows';
import { conversionObject } from './conversion';
import { recordEvent } from '../journal/events';

/**
 * Tells that more of a conversion was given back. In the transaction of the refund, once conversion
 * and commission are as it leaves them.
 */
export async function recordConversionRefunded(
  tx: Tx,
  { conversionId, now }: { conversionId: string; now: Date },
): Promise<void> {
  const scope = await queryOne<Scope>(
    tx,
    'SELECT workspace_id AS "workspaceId", mode FROM conversions WHERE id = $1',
    [conversionId],
  );
  const conversion = scope && (await findConversion(tx, scope, conversionId));
  if (!scope || !conversion) return;

  await recordEvent(tx, scope, {
    type: 'conversion.refunded',
    objectId: conversionId,
    object: conversionObject(conversion),
    at: now,
  });
}
