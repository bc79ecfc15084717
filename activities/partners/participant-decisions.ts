import { AppError } from '../../entities/errors';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import {
  participantStatusAfter,
  participantTransitionRefusal,
} from '../../entities/rules/partners/participant-status';
import type { ParticipantTrigger } from '../../entities/rules/partners/participant-status';
import { query, transaction, type Db, type Tx } from '../../entities/database/sql';
import type { CommandContext } from '../journal/cause';
import { switchOffCodesOf, switchOnCodesOf } from './biller-codes';
import { record } from '../journal/record';
import { holdProgram, requireOpen } from '../programs/programs';
import { rejectPending } from '../commissions/reject-pending';
import { clearSuspensionFlags } from '../commissions/review-flags';
import {
  lockParticipant,
  participantEvent,
  type ParticipantEvent,
  type ParticipantKey,
} from './participants';

/** What a merchant may decide; `accept` and `leave` are the partner's. */
export type ParticipantDecision = Exclude<ParticipantTrigger, 'accept' | 'leave'>;

export interface DecideParticipant extends ParticipantKey {
  decision: ParticipantDecision;
  /** The reason of a rejection or suspension; the partner reads it. */
  reason?: string | undefined;
  /** For a suspension: the partner's pending commissions are rejected too, for the same reason. */
  rejectPending?: boolean | undefined;
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
 * PARTICIPANT_NOT_FOUND, PROGRAM_ARCHIVED, PARTICIPANT_ERASED, PARTICIPANT_INVALID_TRANSITION.
 */
export async function decideParticipant(
  db: Db,
  context: CommandContext,
  command: DecideParticipant,
): Promise<void> {
  const { decision, reason } = command;
  const { event: type, action } = consequences[decision];
  await transaction(db, async (tx) => {
    const program = await holdProgram(tx, command.programId, context.scope);
    const participant = await lockParticipant(tx, context, command);
    requireOpen(program);
    const { id: participantId } = participant;
    await moveParticipant(tx, participant, { trigger: decision, reason, now: context.now });
    // What was flagged only because its partner was suspended.
    if (decision === 'reinstate') await clearSuspensionFlags(tx, context, { participantId });
    if (decision === 'suspend' && command.rejectPending) {
      await rejectPending(tx, context, { participantId, reason: reason ?? null });
    }
    await record(tx, context, {
      audit: { action, target: { type: 'participant', id: participantId } },
      events: [await participantEvent(tx, { participantId, type, cause: decision })],
    });
  });
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
  // What a code takes off where people pay is for a partner who may sell.
  const { id } = participant;
  if (status === 'approved') await switchOnCodesOf(tx, { now }, id);
  else await switchOffCodesOf(tx, { now }, [id]);
}
