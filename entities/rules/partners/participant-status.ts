import type { Moves } from '../values/moves';

export const participantStatuses = [
  'pending',
  'approved',
  'rejected',
  'suspended',
  'left',
] as const;
export type ParticipantStatus = (typeof participantStatuses)[number];

export const participantTriggers = [
  'approve',
  'reject',
  'suspend',
  'reinstate',
  'accept',
  'leave',
] as const;
/**
 * `accept` is a partner taking up an invite and `leave` one going; the others are decisions of the
 * merchant.
 */
export type ParticipantTrigger = (typeof participantTriggers)[number];

/** What an event of a participant may come from; `apply` begins it, and `add` by a merchant's server. */
export type ParticipantCause = ParticipantTrigger | 'apply' | 'add' | 'erase' | 'move';

/**
 * Every move there is. An invite never lifts a suspension; accepting one as an approved partner
 * changes nothing. Who has left comes back by an invite or by applying anew, and not from a suspension.
 */
const participantMoves: Moves<ParticipantStatus, ParticipantTrigger> = {
  pending: {
    approve: ['approved'],
    reject: ['rejected'],
    accept: ['approved'],
    leave: ['left'],
  },
  approved: { suspend: ['suspended'], accept: ['approved'], leave: ['left'] },
  rejected: { approve: ['approved'], accept: ['approved'] },
  suspended: { reinstate: ['approved'] },
  left: { accept: ['approved'] },
};

/** The status after the trigger, or undefined when it is not allowed from here. */
export function participantStatusAfter(
  status: ParticipantStatus,
  trigger: ParticipantTrigger,
): ParticipantStatus | undefined {
  return participantMoves[status][trigger]?.[0];
}

/** Why a participant may not make this move, as an error code; undefined when it may. */
export function participantTransitionRefusal(
  participant: { status: ParticipantStatus; erased: boolean },
  trigger: ParticipantTrigger,
): 'PARTICIPANT_ERASED' | 'PARTICIPANT_INVALID_TRANSITION' | undefined {
  if (participant.erased) return 'PARTICIPANT_ERASED';
  return participantStatusAfter(participant.status, trigger)
    ? undefined
    : 'PARTICIPANT_INVALID_TRANSITION';
}
