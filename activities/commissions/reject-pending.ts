import { maxAtOnce, query, rowsAtOnce, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { decideOne } from './decide';
import { recordColumns, recordJoins, type CommissionRecord } from './records';
import { writeChanges } from './write';

/**
 * Rejects the oldest 10,000 pending commissions of a participant who is suspended in this
 * transaction. Any beyond them stay pending: while the partner is suspended none is approved by
 * itself.
 */
export async function rejectPending(
  tx: Tx,
  context: CommandContext,
  { participantId, reason }: { participantId: string; reason: string | null },
): Promise<void> {
  const { workspaceId, mode } = context.scope;
  let after: string | null = null;
  for (let done = 0; done < maxAtOnce; done += rowsAtOnce) {
    const records: CommissionRecord[] = await query<CommissionRecord>(
      tx,
      `SELECT ${recordColumns} FROM commissions AS c ${recordJoins}
        WHERE c.participant_id = $1 AND c.workspace_id = $2 AND c.mode = $3
          AND c.status = 'pending' AND ($4::uuid IS NULL OR c.id > $4)
        ORDER BY c.id LIMIT ${rowsAtOnce} FOR UPDATE OF c`,
      [participantId, workspaceId, mode, after],
    );
    const decided = records.map((record) =>
      decideOne(context, { decision: 'reject', reason }, record),
    );
    await writeChanges(
      tx,
      decided.flatMap(({ change }) => change ?? []),
    );
    after = records.at(-1)?.id ?? null;
    if (records.length < rowsAtOnce) return;
  }
}
