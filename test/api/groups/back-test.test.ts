import fc from 'fast-check';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { openTermsShop, percent, type TermsShop } from '../../support/partners/groups';

const app = useApp();

interface Tried {
  conversions: number;
  changed: number;
  before: { currency: string; amountCents: number }[];
  after: { currency: string; amountCents: number }[];
  byPartner: { participantId: string }[];
  examples: object[];
  truncated: boolean;
}
const tryTerms = async (shop: TermsShop, body: Record<string, unknown> = {}) => {
  const answer = await shop.api.post<Tried>(`${shop.path}/commission-rules/back-test`, body);
  expect([answer.status, answer.body]).toMatchObject([200, {}]);
  return answer.body;
};
const usd = (amountCents: number) => ({ currency: 'usd', amountCents });

it('tells what other terms make of past sales, and changes nothing (terms.md, Back-test)', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold', commission: percent(3_000) });
  const [one, two] = [await shop.partner(), await shop.partner()];
  await shop.sale(one);
  await shop.api.patch(`${one.path}/group`, { groupId: gold.id });
  const sale = await shop.sale(one);
  await shop.sale(two, { items: [{ product_id: 'prod_pro' }] });
  const rejected = await shop.sale(two);
  const path = `${shop.path}/commissions/${rejected.commission?.id ?? ''}`;
  await shop.api.patch(`${path}/reject`, { reason: 'Spam' });
  expect(await tryTerms(shop)).toMatchObject({
    conversions: 3,
    changed: 0,
    before: [usd(7_000)],
    after: [usd(7_000)],
    examples: [],
    truncated: false,
  });
  const rules = [{ name: 'Pro', match: { productIds: ['prod_pro'] }, ...percent(5_000) }];
  const groups = [{ groupId: gold.id, commission: null }];
  const tried = await tryTerms(shop, { rules, commission: percent(1_000), groups });
  expect(tried).toMatchObject({
    changed: 3,
    before: [usd(7_000)],
    after: [usd(7_000)],
    byPartner: [
      { participantId: two.id, before: [usd(2_000)], after: [usd(5_000)] },
      { participantId: one.id, before: [usd(5_000)], after: [usd(2_000)] },
    ],
  });
  expect(tried.examples[0]).toMatchObject({
    ruleBefore: null,
    ruleAfter: 'Pro',
    after: usd(5_000),
  });
  expect(await shop.commissionOf(sale)).toMatchObject({ amountCents: 3_000 });
  expect((await tryTerms(shop, { dateTo: '2020-01-01' })).conversions).toBe(0);
});

it('refuses unknown groups, long periods, and a second try at once', async () => {
  const shop = await openTermsShop(app);
  const path = `${shop.path}/commission-rules/back-test`;
  const fieldOf = async (body: Record<string, unknown>) => {
    const answer = await shop.api.post<{ details: { field: string }[] }>(path, body);
    return [answer.status, answer.body.details[0]?.field];
  };
  const groups = [{ groupId: newId(), commission: null }];
  expect(await fieldOf({ groups })).toEqual([400, 'groups[0].groupId']);
  expect(await fieldOf({ dateFrom: '2024-01-01', dateTo: '2025-06-01' })).toEqual([400, 'dateTo']);
  expect(await fieldOf({ dateFrom: '2025-02-01', dateTo: '2025-01-01' })).toEqual([
    400,
    'dateFrom',
  ]);
  const answers = await Promise.all(Array.from({ length: 6 }, () => shop.api.post(path, {})));
  const codes = new Set(answers.map((answer) => codeOf(answer)[0]));
  expect([...codes].every((code) => code === 200 || code === 429)).toBe(true);
});

const steps = fc.array(
  fc.record({
    what: fc.constantFrom('sale', 'renewal', 'lead', 'refund', 'move'),
    who: fc.nat(1),
    amount: fc.constantFrom(999, 10_000, 33_333),
    customer: fc.nat(2),
    product: fc.constantFrom('prod_a', 'prod_b'),
  }),
  { minLength: 3, maxLength: 12 },
);

it('a back-test of terms that nobody changed answers the sums that there are, whatever happened', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (story) => {
      const shop = await openTermsShop(app, 'test', { recurring: true, recurringMonths: 6 });
      const gold = await shop.group({ commission: percent(3_333, { recurring: false }) });
      const rules = [
        {
          name: 'A',
          match: { productIds: ['prod_a'], paymentNumbers: { to: 2 } },
          ...percent(1_234),
        },
        { name: 'Late', match: { paymentNumbers: { from: 4 } }, type: 'none' },
        { name: 'Flat', match: { groupIds: [gold.id] }, type: 'flat', amountCents: 777 },
      ];
      await shop.api.put(`${shop.path}/commission-rules`, { rules });
      const members = [await shop.partner(), await shop.partner()];
      const told: string[] = [];
      for (const { what, who, amount, customer, product } of story) {
        const member = members[who] ?? members[0];
        if (!member) throw new Error('nobody');
        const fields = {
          customer_id: `c${customer}-${shop.program.id}`,
          items: [{ product_id: product }],
        };
        if (what === 'move') {
          await shop.api.patch(`${member.path}/group`, {
            groupId: who ? gold.id : shop.program.id,
          });
        } else if (what === 'refund') {
          const id = told.at(-1);
          if (id) {
            const refund = { external_refund_id: newId(), amount_cents: 100 };
            await shop.api.post(`/api/v1/conversions/${id}/refunds`, refund);
          }
        } else {
          const amount_cents = what === 'lead' ? 0 : amount;
          told.push((await shop.sale(member, { ...fields, amount_cents })).id);
        }
      }
      const [stored] = await query<{ sum: number }>(
        app.deps.db.manager,
        'SELECT coalesce(sum(amount_cents), 0)::bigint AS sum FROM commissions WHERE program_id = $1',
        [shop.program.id],
      );
      const tried = await tryTerms(shop);
      expect(tried.changed).toBe(0);
      expect(tried.after).toEqual(tried.before);
      expect(tried.before.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(stored?.sum);
    }),
    { numRuns: 12 },
  );
});
