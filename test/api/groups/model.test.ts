import fc from 'fast-check';
import { useApp } from '../../support/app';
import { openTermsShop, percent } from '../../support/partners/groups';
import type { Conversion } from '../../support/shops/reporting-merchant';

const app = useApp();
afterEach(() => app.deps.clock.set(undefined));

type Step =
  | { kind: 'sale'; customer: number; day: number; cents: number }
  | { kind: 'refund'; cents: number }
  | { kind: 'move'; toGold: boolean }
  | { kind: 'edit'; of: 'gold' | 'program'; rateBps: number }
  | { kind: 'rule'; rateBps: number };

const rate = fc.constantFrom(500, 1_000, 2_000, 3_333);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sale' as const),
      customer: fc.nat(1),
      day: fc.integer({ min: 1, max: 28 }),
      cents: fc.constantFrom(0, 999, 10_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refund' as const),
      cents: fc.constantFrom(100, 999),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('move' as const), toGold: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      of: fc.constantFrom('gold' as const, 'program' as const),
      rateBps: rate,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('rule' as const), rateBps: rate }),
  },
);

/** What a shop would say of a sale when it is told. */
interface Told {
  customer: number;
  /** Milliseconds; the n-th told breaks ties. */
  paidAt: number;
  cents: number;
  refunded: number;
  own: number;
  first: number;
  sale: Conversion;
}

/**
 * The sum due, by hand: a customer's first payment by time earns the rule's rate of its telling,
 * the others their group's.
 */
function dueOf(told: Told, all: readonly Told[]): number | null {
  if (told.cents === 0) return null;
  const before = all.filter(
    (one) => one.customer === told.customer && one.cents > 0 && one.paidAt < told.paidAt,
  );
  const bps = before.length === 0 ? told.first : told.own;
  const whole = Math.floor((told.cents * bps * 2 + 10_000) / 20_000);
  const left = told.cents - told.refunded;
  return Math.floor((2 * whole * left + told.cents) / (2 * told.cents));
}

it('any sales, refunds, moves and edits, told in any order, end in what a shop would say by hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (story) => {
      app.deps.clock.set(undefined);
      const shop = await openTermsShop(app);
      const gold = await shop.group({ name: 'Gold', commission: percent(4_000) });
      const member = await shop.partner();
      const now = { gold: 4_000, program: 2_000, rule: 5_000, inGold: false };
      const put = (rateBps: number) =>
        shop.api.put(`${shop.path}/commission-rules`, {
          rules: [{ name: 'First', match: { paymentNumbers: { to: 1 } }, ...percent(rateBps) }],
        });
      await put(now.rule);
      const told: Told[] = [];
      for (const [n, one] of story.entries()) {
        // Each is told in a moment of its own.
        app.deps.clock.advance(1_000);
        if (one.kind === 'sale') {
          const paidAt = Date.UTC(2026, 0, one.day, 0, 0, n);
          const sale = await shop.sale(member, {
            customer_id: `c${one.customer}-${shop.program.id}`,
            amount_cents: one.cents,
            occurred_at: new Date(paidAt).toISOString(),
          });
          const own = now.inGold ? now.gold : now.program;
          const { customer, cents } = one;
          told.push({ customer, paidAt, cents, refunded: 0, own, first: now.rule, sale });
        } else if (one.kind === 'refund') {
          const last = told.findLast(({ cents, refunded }) => cents - refunded >= one.cents);
          if (!last) continue;
          last.refunded += one.cents;
          await shop.api.post(`/api/v1/conversions/${last.sale.id}/refunds`, {
            external_refund_id: `r${n}`,
            amount_cents: one.cents,
          });
        } else if (one.kind === 'move') {
          now.inGold = one.toGold;
          const groupId = one.toGold ? gold.id : shop.program.id;
          await shop.api.patch(`${member.path}/group`, { groupId });
        } else if (one.kind === 'rule') {
          now.rule = one.rateBps;
          await put(one.rateBps);
        } else {
          now[one.of] = one.rateBps;
          const path = one.of === 'gold' ? `${shop.path}/groups/${gold.id}` : shop.path;
          await shop.api.patch(path, { commission: percent(one.rateBps) });
        }
      }
      const found: (number | null)[] = [];
      for (const { sale } of told) {
        const read = await shop.api.get<Conversion>(`/api/v1/conversions/${sale.id}`);
        found.push(read.body.commission?.amount_cents ?? null);
      }
      expect(found).toEqual(told.map((one) => dueOf(one, told)));
    }),
    { numRuns: 10 },
  );
});
