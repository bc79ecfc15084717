import { execute, query, type Tx } from '../../entities/database/sql';
import { transactionIdOf } from '../../entities/rules/stripe/classify';
import { recordOne } from '../conversions/record';
import type { ConversionRecord } from '../conversions/conversion';
import type { ConversionReport } from '../conversions/report';
import type { CommandContext } from '../journal/cause';

/**
 * Records a payment that a report by API has named before and that was refused: its own signals had
 * failed, or its programme takes its sales from Stripe. The refused report keeps its row; the ids of the payment
 * lead to the sale from now on, and the report is no payment any more. Undefined when the report took the only id that there is.
 */
export async function recordOverRefused(
  tx: Tx,
  context: CommandContext,
  { report, refused }: { report: ConversionReport; refused: readonly { id: string }[] },
): Promise<ConversionRecord | undefined> {
  if (refused.length === 0) return recordOne(tx, context, report);
  const { workspaceId, mode } = context.scope;
  const ids = [workspaceId, mode, refused.map(({ id }) => id)];
  const rows = await query<{ alias: string }>(
    tx,
    `SELECT alias FROM conversion_aliases
      WHERE workspace_id = $1 AND mode = $2 AND conversion_id = ANY ($3::uuid[])`,
    ids,
  );
  const taken = rows.map(({ alias }) => alias);
  const free = report.aliases.filter((alias) => !taken.includes(alias));
  const externalTransactionId = transactionIdOf(free);
  if (externalTransactionId === undefined) return undefined;

  const named = { ...report, externalTransactionId, aliases: free };
  const conversion = await recordOne(tx, context, named);
  await execute(
    tx,
    `UPDATE conversion_aliases SET conversion_id = $4
      WHERE workspace_id = $1 AND mode = $2 AND conversion_id = ANY ($3::uuid[])
        AND alias = ANY ($5::text[])`,
    [...ids, conversion.id, report.aliases],
  );
  await execute(
    tx,
    `UPDATE conversions SET credited_as = 'superseded'
      WHERE workspace_id = $1 AND mode = $2 AND id = ANY ($3::uuid[])`,
    ids,
  );
  return conversion;
}
