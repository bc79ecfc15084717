import {
  participantStatusAfter,
  participantStatuses,
  participantTransitionRefusal,
  participantTriggers,
} from '../../../entities/rules/partners/participant-status';
import type {
  ParticipantStatus,
  ParticipantTrigger,
} from '../../../entities/rules/partners/participant-status';

/** docs/reference/programmes.md, Participants, written down once more: every pair that is not here is refused. */
const allowed: [ParticipantStatus, ParticipantTrigger, ParticipantStatus][] = [
  ['pending', 'approve', 'approved'],
  ['rejected', 'approve', 'approved'],
  ['pending', 'reject', 'rejected'],
  ['approved', 'suspend', 'suspended'],
  ['suspended', 'reinstate', 'approved'],
  ['pending', 'accept', 'approved'],
  ['rejected', 'accept', 'approved'],
  ['approved', 'accept', 'approved'],
  ['pending', 'leave', 'left'],
  ['approved', 'leave', 'left'],
  ['left', 'accept', 'approved'],
];

const pairs = participantStatuses.flatMap((status) =>
  participantTriggers.map((trigger) => [status, trigger] as const),
);

describe('participant transitions', () => {
  it.each(pairs)('from %s by %s', (status, trigger) => {
    const expected = allowed.find(([from, by]) => from === status && by === trigger)?.[2];
    expect(participantStatusAfter(status, trigger)).toBe(expected);
    expect(participantTransitionRefusal({ status, erased: false }, trigger)).toBe(
      expected ? undefined : 'PARTICIPANT_INVALID_TRANSITION',
    );
  });

  it.each(pairs)('refuses an erased participant from %s by %s', (status, trigger) => {
    expect(participantTransitionRefusal({ status, erased: true }, trigger)).toBe(
      'PARTICIPANT_ERASED',
    );
  });
});
