import { AppError } from '../../entities/errors';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import {
  participantStatusAfter,
  participantTransitionRefusal,
} from '../../entities/rules/partners/participant-status';
import type { ParticipantTrigger } from '../../entities/rules/partners/participant-status';
import { query, transaction, type Tx } from '../../entities/database/sql';
import type { Db } from '../../entities/database/sql';
import { recordAudit } from '../journal/audit';
import type { Cause } from '../journal/cause';
import { holdProgramOpen } from '../programs/programs';
import { clearFlagsOfParticipant } from '../commissions/review-flags';
import { lockParticipant, recordParticipantEvent } from './participants';
import type { ParticipantEvent } from './participants';

/** What a merchant may decide; a partner's `accept` goes through the invite. */
export type ParticipantDecision = Exclude<ParticipantTrigger, 'accept'>;

export interface ParticipantCommand extends Cause {
  programId: string;
  participantId: string;
  decision: ParticipantDecision;
  /** Why, for a rejection or suspension; the partner reads it. */
  reason?: string | undefined;
}

const consequences: Record<ParticipantDecision, { event: ParticipantEvent; action: string }> = {
  approve: {
    event: 'participant.approved',
    action: 'participant.approved',
  },
  reject: {
    event: 'participant.rejected',
    action: 'participant.rejected',
  },
  suspend: {
    event: 'participant.suspended',
    action: 'participant.suspended',
  },
  reinstate: {
    event: 'participant.approved',
    action: 'participant.reinstated',
  },
};

/**
 * A merchant's decision on a participant: status, event and audit row in one transaction.
 * PROGRAM_ARCHIVED, PARTICIPANT_NOT_FOUND, PARTICIPANT_ERASED, PARTICIPANT_INVALID_TRANSITION.
 */
export async function decideParticipant(db: Db, command: ParticipantCommand): Promise<void> {
  const { decision, reason, now, actor, requestId } = command;
  const { event, action } = consequences[decision];
  await transaction(db, async (tx) => {
    await holdProgramOpen(tx, command.programId);
    const participant = await lockParticipant(tx, command);
    await moveParticipant(tx, participant, { trigger: decision, reason, now });
    if (decision === 'reinstate') await liftSuspensionFlags(tx, participant.id, now);
    const change = { participantId: participant.id, cause: decision, now };
    await recordParticipantEvent(tx, event, change);
    await recordAudit(tx, {
      workspaceId: participant.workspaceId,
      actor,
      action,
      target: { type: 'participant', id: participant.id },
      requestId,
      at: now,
    });
  });
}

/** Contract part 6: what was flagged only because its partner was suspended is so no more. */
async function liftSuspensionFlags(tx: Tx, participantId: string, now: Date): Promise<void> {
  await clearFlagsOfParticipant(tx, { participantId, reason: 'PARTNER_SUSPENDED' }, now);
}

/**
 * Sets the status that the trigger leads to. The row must be locked; the update names the old status
 * all the same, so that it can only ever happen once.
 */
export async function moveParticipant(
  tx: Tx,
  participant: Participant,
  move: { trigger: ParticipantTrigger; reason?: string | undefined; now: Date },
): Promise<void> {
  const { trigger, reason, now } = move;
  const from = { status: participant.status, erased: participant.erasedAt !== null };
  const refusal = participantTransitionRefusal(from, trigger);
  const status = participantStatusAfter(participant.status, trigger);
  if (refusal || !status) throw new AppError(refusal ?? 'PARTICIPANT_INVALID_TRANSITION');

  // A reinstated partner was approved when it was first; an approval now is a new one.
  const isApproval = status === 'approved' && trigger !== 'reinstate';
  const changed = await query(
    tx,
    `UPDATE participants
        SET status = $3, status_reason = $4, updated_at = $5,
            approved_at = CASE WHEN $6 THEN $5 ELSE approved_at END
      WHERE id = $1 AND status = $2 AND erased_at IS NULL
      RETURNING id`,
    [participant.id, participant.status, status, reason ?? null, now, isApproval],
  );
  if (changed.length !== 1) throw new AppError('PARTICIPANT_INVALID_TRANSITION');
}
