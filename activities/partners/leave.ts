import { transaction, type Db } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { moveParticipant } from './participant-decisions';
import { lockParticipant, type ParticipantKey } from './participants';

/**
 * A partner leaves a programme: links and codes credit nothing from now on, what was earned goes on.
 * A repeat changes nothing. PARTICIPANT_ERASED; PARTICIPANT_INVALID_TRANSITION for one who is
 * rejected or suspended: leaving and coming back must not lift that.
 */
export async function leaveProgram(
  db: Db,
  context: CommandContext,
  key: ParticipantKey,
): Promise<void> {
  await transaction(db, async (tx) => {
    const participant = await lockParticipant(tx, context, key);
    if (participant.status === 'left' && participant.erasedAt === null) return;
    await moveParticipant(tx, participant, { trigger: 'leave', now: context.now });
    const target = { type: 'participant', id: participant.id };
    await record(tx, context, { audit: { action: 'participant.left', target } });
  });
}
