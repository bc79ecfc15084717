export const participantStatuses = ['pending', 'approved', 'rejected', 'suspended'] as const;
export type ParticipantStatus = (typeof participantStatuses)[number];

export const participantTriggers = ['approve', 'reject', 'suspend', 'reinstate', 'accept'] as const;
/** `accept` is a partner taking up an invite; the others are decisions of the merchant. */
/** What may move a participant; `apply` begins it. */
export type ParticipantCause = ParticipantTrigger | 'apply' | 'erase';

export type ParticipantTrigger = (typeof participantTriggers)[number];

const transitions: Record<
  ParticipantTrigger,
  Partial<Record<ParticipantStatus, ParticipantStatus>>
> = {
  approve: { pending: 'approved', rejected: 'approved' },
  reject: { pending: 'rejected' },
  suspend: { approved: 'suspended' },
  reinstate: { suspended: 'approved' },
  // An invite never lifts a suspension; accepting one as an approved partner changes nothing.
  accept: { pending: 'approved', rejected: 'approved', approved: 'approved' },
};

/** The status after the trigger, or undefined when it is not allowed from here. */
export function participantStatusAfter(
  status: ParticipantStatus,
  trigger: ParticipantTrigger,
): ParticipantStatus | undefined {
  return transitions[trigger][status];
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
