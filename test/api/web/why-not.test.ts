import { whyNot } from '../../../web/app/commissions/why-not';

const held = { holdActive: true, holdUntil: '2026-03-02T12:00:00.000Z', needsReview: false };

it('says until when a commission is on hold, and which button ends that', () => {
  expect(whyNot('approve', held)).toMatch(/on hold until .*Mar.*Override hold/);
  expect(whyNot('approve-override', held)).toBeUndefined();
});

it('a reason sends nobody to a button that is refused as well, where a commission needs a review', () => {
  const flagged = { ...held, needsReview: true };
  for (const action of ['approve', 'approve-override'] as const) {
    expect(whyNot(action, flagged)).toMatch(/needs a review.*from .*Mar/);
  }
});

it('leaves other refusals to the words of the API', () => {
  expect(whyNot('approve', { ...held, holdActive: false })).toBeUndefined();
  expect(whyNot('reject', { ...held, needsReview: true })).toBeUndefined();
});
