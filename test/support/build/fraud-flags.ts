import { newId } from '../../../entities/ids';
import { execute, type Db } from '../../../entities/database/sql';
import type { BuiltParticipant } from './programs';

/** A flag as it is stored, open, of a conversion of the participant. */
export async function buildFraudFlag(
  db: Db,
  participant: Pick<BuiltParticipant, 'id' | 'workspaceId' | 'mode' | 'programId'>,
  conversionId: string,
): Promise<{ id: string }> {
  const id = newId();
  const { workspaceId, mode, programId, id: participantId } = participant;
  await execute(
    db,
    `INSERT INTO fraud_flags (id, workspace_id, mode, program_id, participant_id, conversion_id, rule,
       action, value, occurred_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'bot_click', 'flag', 'true', now(), now())`,
    [id, workspaceId, mode, programId, participantId, conversionId],
  );
  return { id };
}
