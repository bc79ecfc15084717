import { queryOne, type Tx } from '../../entities/database/sql';
import { newId } from '../../entities/ids';
import type { CommandContext } from '../journal/cause';
import { notify } from '../notifications/notify';

interface Loser {
  accountId: string;
  programId: string;
  programName: string;
}

/** Tells a partner that a member has taken a customer of theirs away; who the customer is they never learn. */
export async function tellLost(
  tx: Tx,
  { scope, now }: CommandContext,
  participantId: string,
): Promise<void> {
  const { workspaceId, mode } = scope;
  const loser = await queryOne<Loser>(
    tx,
    `SELECT p.partner_id AS "accountId", g.id AS "programId", g.name AS "programName"
       FROM participants AS p JOIN programs AS g ON g.id = p.program_id
      WHERE p.id = $1 AND p.workspace_id = $2 AND p.mode = $3 AND p.erased_at IS NULL`,
    [participantId, workspaceId, mode],
  );
  if (!loser) return;
  const { accountId: feedId, programId, programName } = loser;
  await notify(tx, { now }, [
    {
      ...{ side: 'partner', type: 'customer.lost', causeId: newId() },
      ...{ feedId, workspaceId, mode, participantId },
      data: { programId, participantId },
      facts: { programName },
    },
  ]);
}
