import { bonusMove, bonusTerms } from '../../../entities/rules/commissions/bonus';
import type { CommissionStatus } from '../../../entities/rules/commissions/status';
import type { Bonus } from '../../../entities/rules/programs/bonuses';

const bonus = (fields: Partial<Bonus> = {}): Bonus => ({
  id: 'first',
  name: 'First three',
  metric: 'customers',
  atLeast: 3,
  window: { from: null, to: null },
  amountCents: 10_000,
  currency: 'usd',
  groupIds: null,
  holdDays: null,
  autoApprove: null,
  since: '2026-03-01T00:00:00.000Z',
  ...fields,
});

it.each<[string, CommissionStatus, boolean, number, string | null]>([
  ['a pending one whose figure falls is lost', 'pending', false, 2, 'lost'],
  ['a pending one whose figure holds stays', 'pending', false, 3, null],
  ['one that was lost is given again when it is reached again', 'rejected', true, 3, 'again'],
  ['one that was lost stays so until then', 'rejected', true, 2, null],
  ['one that a person rejected stays rejected', 'rejected', false, 3, null],
  ['an approved one stays', 'approved', false, 0, null],
  ['a paid one stays', 'paid', false, 0, null],
])('a bonus follows its figure: %s', (_what, status, isLost, all, move) => {
  expect(bonusMove({ status, isLost, atLeast: 3 }, { all, imported: 0 })).toBe(move);
});

it.each([
  ['its own', { holdDays: 1, autoApprove: true }, { holdDays: 2, autoApprove: false }, 1, true],
  ["else the group's", {}, { holdDays: 2, autoApprove: true }, 2, true],
  ["else the programme's", {}, { holdDays: null, autoApprove: null }, 30, false],
  ['each by itself', { holdDays: 0 }, { holdDays: 2, autoApprove: true }, 0, true],
] as const)('hold and approval are %s', (_what, own, inGroup, holdDays, autoApprove) => {
  const group = { id: 'gold', name: 'Gold', commission: null, ...inGroup };
  const program = { holdDays: 30, autoApprove: false };
  expect(bonusTerms(bonus(own), group, program)).toMatchObject({
    ...{ source: 'program', name: 'First three', rule: null, type: 'flat', amountCents: 10_000 },
    ...{ groupId: 'gold', groupName: 'Gold', customerMonth: null, paymentNumber: null },
    ...{ holdDays, autoApprove, recurring: false, basis: null, rateBps: null },
  });
});
