import type { Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { conversionObject } from './conversion';
import { findConversion } from './rows';

/**
 * The event that more of a conversion was given back. In the transaction of the refund, once
 * conversion and commission are as it leaves them.
 */
export async function recordConversionRefunded(
  tx: Tx,
  context: CommandContext,
  { conversionId }: { conversionId: string },
): Promise<void> {
  const conversion = await findConversion(tx, context.scope, conversionId);
  if (!conversion) return;
  const object = conversionObject(conversion);
  const type = 'conversion.refunded';
  await record(tx, context, { events: [{ type, objectId: conversionId, object }] });
}
