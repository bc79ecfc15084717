import { findOne } from '../../entities/database/find';
import { query, rowsAtOnce, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import { Participant } from '../../entities/tables/partners/participant.entity';
import type { CommandContext } from '../journal/cause';
import { holdProgram } from '../programs/programs';
import { enqueueStandings, type StandingWork } from './ask';
import { earnBonuses } from './earn';
import { actOnSteps } from './tiers';

/** Acts on a partner whose figure may have reached a step or a bonus, or asks for a page of all partners. */
export async function actOnStanding(
  db: Db,
  context: CommandContext,
  work: StandingWork,
): Promise<void> {
  const { programId, participantId, after } = work;
  await transaction(db, async (tx) => {
    if (participantId !== undefined) return actOn(tx, context, { programId, participantId });
    const page = await query<{ id: string }>(
      tx,
      `SELECT id FROM participants
        WHERE program_id = $1 AND workspace_id = $2 AND mode = $3 AND status = 'approved'
          AND erased_at IS NULL AND ($4::uuid IS NULL OR id > $4)
        ORDER BY id LIMIT ${rowsAtOnce}`,
      [programId, context.scope.workspaceId, context.scope.mode, after ?? null],
    );
    const last = page.length === rowsAtOnce ? page.at(-1)?.id : undefined;
    await enqueueStandings(tx, context, [
      ...page.map(({ id }) => ({ programId, participantId: id })),
      ...(last === undefined ? [] : [{ programId, after: last }]),
    ]);
  });
}

/** Acts under the lock of the partner's row: of two at once the second finds what the first has left. */
async function actOn(
  tx: Tx,
  context: CommandContext,
  { programId, participantId }: { programId: string; participantId: string },
): Promise<void> {
  const program = await holdProgram(tx, programId, context.scope).catch(unknown);
  if (!program) return;
  const { workspaceId, mode } = context.scope;
  const where = { id: participantId, programId, workspaceId, mode };
  const participant = await findOne(tx, Participant, { where, lock: 'UPDATE' });
  if (!participant) return;
  const groupId = await actOnSteps(tx, context, { program, participant });
  await earnBonuses(tx, context, { program, participant: { ...participant, groupId } });
}

/** A reset of test data took the programme. */
function unknown(error: unknown): null {
  if (error instanceof AppError) return null;
  throw error;
}
