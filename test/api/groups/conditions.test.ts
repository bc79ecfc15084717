import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { openTermsShop, percent, type Member, type TermsShop } from '../../support/partners/groups';
import type { Conversion } from '../../support/shops/reporting-merchant';

const app = useApp();

const put = async (shop: TermsShop, rules: Record<string, unknown>[]) => {
  const answer = await shop.api.put(`${shop.path}/commission-rules`, { rules });
  expect(answer.status).toBe(200);
  return answer.body;
};
const amountOf = ({ commission }: Conversion) => commission?.amount_cents ?? null;
const again = (customer_id: string, more = {}) => ({ customer_id, promo_code: undefined, ...more });
const traceOf = async (shop: TermsShop, { id }: Conversion) => {
  const read = await shop.api.get<{ trace: Record<string, unknown> }>(
    `/api/v1/attribution/decisions/${id}`,
  );
  return read.body.trace;
};

it('pays by month and number of the payment, pinned and told in the trace (terms.md, Conditions)', async () => {
  const shop = await openTermsShop(app, 'test', { recurring: true, recurringMonths: null });
  const member = await shop.partner();
  await put(shop, [
    { name: 'First', match: { paymentNumbers: { to: 1 } }, ...percent(5_000) },
    { name: 'Year', match: { customerMonths: { to: 11 } }, ...percent(3_000) },
    { name: 'No more', match: { customerMonths: { from: 24 } }, type: 'none' },
  ]);
  const customer_id = newId();
  const at = (day: string) => ({ occurred_at: `${day}T10:00:00.000Z` });
  const first = await shop.sale(member, { customer_id, ...at('2024-01-31') });
  const pay = (day: string) => shop.sale(member, again(customer_id, at(day)));
  const later = [await pay('2024-02-29'), await pay('2025-01-30'), await pay('2025-01-31')];
  const last = await pay('2026-02-01');
  expect([first, ...later, last].map(amountOf)).toEqual([5_000, 3_000, 3_000, 2_000, null]);
  expect(last.attributed).toBe(true);
  expect(await traceOf(shop, last)).toMatchObject({
    rule: 'No more',
    terms: { type: 'none' },
    customer_month: 24,
    payment_number: 5,
    rules: [
      { name: 'First', matched: false, failed: 'payment_numbers' },
      { name: 'Year', matched: false, failed: 'customer_months' },
      { name: 'No more', matched: true, failed: null },
    ],
  });
  const [, second] = later;
  expect((await shop.commissionOf(second as Conversion))['terms']).toMatchObject({
    customerMonth: 11,
    paymentNumber: 3,
    name: 'Year',
  });
});

it('a payment that is told late changes the rank of those after it, and what they earn', async () => {
  const shop = await openTermsShop(app, 'test', { recurring: true, recurringMonths: null });
  const member = await shop.partner();
  await put(shop, [{ name: 'First two', match: { paymentNumbers: { to: 2 } }, ...percent(5_000) }]);
  const customer_id = newId();
  const at = (day: number) => ({ occurred_at: `2026-03-0${String(day)}T10:00:00.000Z` });
  const one = await shop.sale(member, { customer_id, ...at(2) });
  const two = await shop.sale(member, again(customer_id, at(4)));
  expect([one, two].map(amountOf)).toEqual([5_000, 5_000]);
  const early = await shop.sale(member, { customer_id, ...at(1) });
  expect(amountOf(early)).toBe(5_000);
  expect(await shop.commissionOf(one)).toMatchObject({
    amountCents: 5_000,
    terms: { paymentNumber: 2 },
  });
  expect(await shop.commissionOf(two)).toMatchObject({
    amountCents: 2_000,
    terms: { paymentNumber: 3 },
  });
});

it('sales of one customer side by side are numbered one after the other', async () => {
  const shop = await openTermsShop(app, 'test', { recurring: true, recurringMonths: null });
  const member = await shop.partner();
  const customer_id = newId();
  await shop.sale(member, { customer_id });
  const sales = await Promise.all(
    Array.from({ length: 8 }, () => shop.sale(member, again(customer_id))),
  );
  const numbers = await Promise.all(
    sales.map(async (sale) => {
      const { terms } = (await shop.commissionOf(sale)) as { terms: { paymentNumber: number } };
      return terms.paymentNumber;
    }),
  );
  expect(numbers.toSorted((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});

it('asks for items, metadata, groups and amounts, and the dry run says why', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold' });
  const member: Member = await shop.partner();
  const rules = [
    { name: 'Pro', match: { productIds: ['prod_pro'] }, ...percent(3_000) },
    { name: 'Annual', match: { metadata: { plan: ['annual'], seats: [5] } }, ...percent(2_500) },
    { name: 'Gold', match: { groupIds: [gold.id], maxAmountCents: 20_000 }, ...percent(4_000) },
  ];
  const stored = await put(shop, rules);
  expect(stored).toMatchObject({
    rules: [{}, { match: { metadata: { plan: ['annual'], seats: ['5'] } } }, {}],
  });
  await put(shop, (stored as { rules: Record<string, unknown>[] }).rules);
  const items = [{ product_id: 'prod_pro' }];
  const mixed = [...items, { product_id: 'prod_x' }];
  const metadata = { plan: 'annual', seats: 5 };
  expect(amountOf(await shop.sale(member, { items }))).toBe(3_000);
  expect(amountOf(await shop.sale(member, { items: mixed }))).toBe(2_000);
  expect(amountOf(await shop.sale(member, { metadata }))).toBe(2_500);
  await shop.api.patch(`${member.path}/group`, { groupId: gold.id });
  expect(amountOf(await shop.sale(member))).toBe(4_000);
  expect(amountOf(await shop.sale(member, { amount_cents: 20_010 }))).toBe(4_002);
  const tried = await shop.api.post<{ trace: object; commission: { amount_cents: number } }>(
    '/api/v1/attribution/dry-run',
    {
      ...{ external_transaction_id: newId(), event_type: 'purchase', promo_code: member.code },
      ...{ amount_cents: 1_000, currency: 'usd', items: mixed },
    },
  );
  expect(tried.body).toMatchObject({
    commission: { amount_cents: 400 },
    trace: {
      customer_month: 0,
      payment_number: 1,
      rules: [{ failed: 'product_ids' }, { failed: 'metadata' }, { matched: true }],
    },
  });
});

it('refuses groups of nobody and ends that cross, with their place', async () => {
  const shop = await openTermsShop(app);
  const foreign = await (await openTermsShop(app)).group();
  const fieldsOf = async (match: Record<string, unknown>) => {
    const rules = [{ name: 'r', match, ...percent(1_000) }];
    const answer = await shop.api.put<{ details: { field: string }[] }>(
      `${shop.path}/commission-rules`,
      { rules },
    );
    return [answer.status, ...answer.body.details.map(({ field }) => field)];
  };
  expect(await fieldsOf({ groupIds: [foreign.id] })).toEqual([400, 'rules[0].match.groupIds']);
  expect(await fieldsOf({ groupIds: [] })).toEqual([400, 'rules[0].match.groupIds']);
  expect(await fieldsOf({ metadata: {} })).toEqual([400, 'rules[0].match.metadata']);
  expect(await fieldsOf({ customerMonths: { from: 3, to: 2 } })).toEqual([
    400,
    'rules[0].match.customerMonths',
  ]);
  const named = await shop.group();
  await put(shop, [{ name: 'r', match: { groupIds: [named.id] }, ...percent(1_000) }]);
  expect((await shop.api.delete(`${shop.path}/groups/${named.id}`)).status).toBe(409);
});
