import fc from 'fast-check';
import {
  choosePayables,
  planPayout,
  type DueSum,
  type Payable,
} from '../../../entities/rules/payouts/plan';

const min = { currency: 'usd', minPayoutCents: 0 };

function payables(participantId: string, amounts: readonly number[]): Payable[] {
  return amounts.map((amountCents, index) => ({
    commissionId: `${participantId}-${index}`,
    participantId,
    currency: 'usd',
    amountCents,
    isPayable: amountCents >= 0,
  }));
}

const sumOf = (all: readonly Payable[]): number =>
  all.reduce((sum, { amountCents }) => sum + amountCents, 0);

/** What is due, with what was not even read. */
function dueOf(all: readonly Payable[], unread: Record<string, number> = {}): DueSum[] {
  return [...new Set(all.map(({ participantId }) => participantId))].map((participantId) => ({
    participantId,
    currency: 'usd',
    dueCents:
      sumOf(all.filter((one) => one.participantId === participantId)) +
      (unread[participantId] ?? 0),
  }));
}

const some = fc.array(fc.integer({ min: -500, max: 500 }), { maxLength: 30 });

it('a bounded payout never pays more than is due, and no more lines than there is room for', () => {
  fc.assert(
    fc.property(some, some, fc.nat(40), fc.nat(1_000), (ofX, ofY, max, unread) => {
      const all = [...payables('x', ofX), ...payables('y', ofY)];
      const due = dueOf(all, { y: -unread });
      const taken = choosePayables(all, { max, min, due });
      expect(taken.length).toBeLessThanOrEqual(max);
      expect(new Set(taken).size).toBe(taken.length);
      for (const item of planPayout(taken, min)) {
        const sum = due.find(({ participantId }) => participantId === item.participantId);
        expect(item.amountCents).toBeLessThanOrEqual(sum?.dueCents ?? 0);
      }
    }),
  );
});

it('payouts one after the other pay what is due, to the cent', () => {
  const positive = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 30 });
  const debts = fc.array(fc.integer({ min: -20, max: -1 }), { maxLength: 20 });
  fc.assert(
    fc.property(positive, debts, (approved, owed) => {
      let left = payables('x', [...approved, ...owed]);
      const total = sumOf(left);
      fc.pre(total > 0);
      let paid = 0;
      for (let round = 0; round < 60 && left.length > 0; round += 1) {
        const bounds = { max: 40, min, due: dueOf(left) };
        const [item] = planPayout(choosePayables(left, bounds), min);
        if (!item) break;
        paid += item.amountCents;
        const gone = new Set(item.lines.map(({ commissionId }) => commissionId));
        left = left.filter(({ commissionId }) => !gone.has(commissionId));
      }
      expect(paid).toBeLessThanOrEqual(total);
      expect(sumOf(left)).toBe(total - paid);
      if (approved.length + owed.length <= 40) expect(paid).toBe(total);
    }),
  );
});

it.each([
  ['everything that fits', [100, 100, -60], 10, 0, 140],
  ['nothing of a partner in debt', [100, -60, -60], 10, 0, undefined],
  ['debts first, as long as something is paid', [110, 110, -100, -100], 3, 0, 10],
  ['no less than the least payout', [110, 110, 110, -100, -100], 4, 100, 120],
  ['nothing that debts beyond the room would take', [1_000, -300, -300, -300], 2, 0, undefined],
])('takes %s', (_name, amounts, max, minPayoutCents, expected) => {
  const all = payables('x', amounts);
  const bounds = { max, min: { ...min, minPayoutCents }, due: dueOf(all) };
  const [item] = planPayout(choosePayables(all, bounds), bounds.min);
  expect(item?.amountCents).toBe(expected);
});
