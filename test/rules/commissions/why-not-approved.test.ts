import {
  whyNotApproved,
  type ApprovalFacts,
} from '../../../entities/rules/commissions/why-not-approved';

const now = new Date('2026-01-31T09:30:00.000Z');
const later = new Date(now.getTime() + 1);

const facts: ApprovalFacts = {
  status: 'pending',
  holdUntil: now,
  holdElapsed: true,
  autoApprove: true,
  reviewReasons: [],
  isPartnerErased: false,
  approvedAt: null,
  now,
};
const isHeld = { holdUntil: later, holdElapsed: false };
const isFlagged: Partial<ApprovalFacts> = { reviewReasons: ['FRAUD_SUSPECTED', 'DISPUTED'] };

describe('why a commission is not approved', () => {
  it.each<[string, Partial<ApprovalFacts>, string]>([
    ['rejected', { status: 'rejected' }, 'It was rejected; its record has the reason.'],
    ['refunded', { status: 'refunded' }, 'It was refunded in full, or its dispute was lost.'],
    [
      'approved',
      { status: 'approved', approvedAt: now },
      `It is approved, and was approved at ${now.toISOString()}.`,
    ],
    ['paid, long ago', { status: 'paid' }, 'It is paid, and was approved at an unknown time.'],
    [
      'of an erased partner, even on hold',
      { isPartnerErased: true, ...isHeld },
      'Its partner is erased: it is never approved, and can be rejected.',
    ],
    ['on hold', isHeld, `Its hold ends at ${later.toISOString()}.`],
    [
      'on hold and flagged',
      { ...isHeld, ...isFlagged },
      `Its hold ends at ${later.toISOString()}. It is flagged (FRAUD_SUSPECTED, DISPUTED), so that it will wait for a review then.`,
    ],
    [
      'a hold that ends at this instant',
      { holdElapsed: false },
      `Its hold ended at ${now.toISOString()} and nobody dealt with it yet: see the workflow, and repair-overdue.`,
    ],
    [
      'a hold that was ended before its time',
      { holdUntil: later },
      'Nothing is in its way: its lifecycle approves it with its next look.',
    ],
    [
      'without a hold',
      { holdUntil: null, holdElapsed: false },
      'Nothing is in its way: its lifecycle approves it with its next look.',
    ],
    ['flagged', isFlagged, 'It waits for a manual review: FRAUD_SUSPECTED, DISPUTED.'],
    [
      'flagged, and nothing approves by itself',
      { ...isFlagged, autoApprove: false },
      'It waits for a manual review: FRAUD_SUSPECTED, DISPUTED.',
    ],
    [
      'nothing approves by itself',
      { autoApprove: false },
      'Its terms do not approve automatically: it waits for a decision.',
    ],
  ])('is said in a sentence: %s', (_, given, sentence) => {
    expect(whyNotApproved({ ...facts, ...given })).toBe(sentence);
  });
});
