import { useApp } from '../../support/app';
import { csvOf } from '../../support/imports';
import { bring, comparable, exported, openLeavingShop } from '../../support/leaving-shop';

const app = useApp();

const theirs = {
  partners: csvOf([
    {
      partner_id: 'p1',
      email: 'ann@example.com',
      name: '=Ann',
      status: 'active',
      payout_email: 'a@pay.example',
      created_at: '2024-01-01',
    },
    {
      partner_id: 'p2',
      email: 'bob@example.com',
      name: 'Bob',
      status: 'pending',
      created_at: '2024-01-02',
    },
  ]),
  links: csvOf([
    { partner_id: 'p1', token: 'ann', kind: 'link' },
    { partner_id: 'p1', token: 'Ann.Old', kind: 'link' },
    { partner_id: 'p1', token: 'ANN10', kind: 'code' },
    { partner_id: 'p2', token: 'bob', kind: 'link' },
  ]),
  customers: csvOf([
    {
      partner_id: 'p1',
      customer_id: 'u1',
      aliases: 'cus_1|sub_1',
      bound_at: '2025-12-01',
      first_paid_at: '2025-12-10',
    },
  ]),
  commissions: csvOf([
    {
      commission_id: 'c1',
      partner_id: 'p1',
      customer_id: 'u1',
      sale_id: 'ch_1|in_1',
      sale_amount: '100.00',
      sale_refunded: '',
      amount: '20.00',
      currency: 'usd',
      status: 'paid',
      occurred_at: '2025-12-10',
      paid_at: '2026-01-10',
    },
    {
      commission_id: 'c2',
      partner_id: 'p1',
      customer_id: 'u1',
      sale_id: 'ch_2',
      sale_amount: '100.00',
      sale_refunded: '25.00',
      amount: '15.00',
      currency: 'usd',
      status: 'approved',
      occurred_at: '2026-01-10',
    },
    {
      commission_id: 'c3',
      partner_id: 'p1',
      customer_id: 'u1',
      sale_id: 'ch_3',
      sale_amount: '1000',
      sale_refunded: '',
      amount: '200',
      currency: 'jpy',
      status: 'pending',
      occurred_at: '2026-05-10',
      due_at: '2099-01-01',
    },
    {
      commission_id: 'c4',
      partner_id: 'p2',
      customer_id: '',
      sale_id: 'ch_4',
      sale_amount: '10.00',
      sale_refunded: '',
      amount: '2.00',
      currency: 'usd',
      status: 'void',
      occurred_at: '2026-05-11',
    },
  ]),
};

it('gives files that say the same once they were imported elsewhere (imports.md, Leaving)', async () => {
  const a = await openLeavingShop(app);
  await bring(a, theirs);
  const sale = { event_type: 'purchase', amount_cents: 5_000, currency: 'usd' };
  const told = await a.shop.post('/api/v1/conversions', {
    ...sale,
    external_transaction_id: 's1',
    promo_code: 'ANN10',
  });
  expect(told.body['attributed']).toBe(true);
  const files = await exported(a, '?includePayout=true');
  expect(files['partners']).toContain("'=Ann");
  expect(files['partners']).toContain('a@pay.example');
  expect((await exported(a))['partners']).not.toContain('a@pay.example');

  const b = await openLeavingShop(app);
  const report = await bring(b, files, { cutover: new Date().toISOString() });
  expect(
    report?.money.map(({ currency, openCents, paidCents }) => [currency, openCents, paidCents]),
  ).toEqual([
    ['jpy', 200, 0],
    ['usd', 2_500, 2_000],
  ]);
  expect(comparable(await exported(b, '?includePayout=true'))).toEqual(comparable(files));

  const renewal = { ...sale, external_transaction_id: 's2', customer_id: 'cus_1' };
  const [ofA, ofB] = [
    await a.shop.post('/api/v1/conversions', renewal),
    await b.shop.post('/api/v1/conversions', renewal),
  ];
  const earned = ({ body }: { body: Record<string, unknown> }) =>
    (body['commission'] as { amount_cents: number } | null)?.amount_cents ?? null;
  expect(ofA.body['attributed']).toBe(true);
  expect([earned(ofB), ofB.body['attributed']]).toEqual([earned(ofA), true]);
});

it('carries a debt along, and what was paid', async () => {
  const a = await openLeavingShop(app);
  await bring(a, theirs);
  const found = await a.shop.get<{ data: { id: string }[] }>(
    '/api/v1/conversions?external_transaction_id=ch_1',
  );
  await a.shop.post(`/api/v1/conversions/${found.body.data[0]?.id}/refunds`, {
    external_refund_id: 'r1',
  });
  const files = await exported(a);
  const b = await openLeavingShop(app);
  const report = await bring(b, files, { cutover: new Date().toISOString() });
  expect(report?.money).toMatchObject([{}, { currency: 'usd', openCents: -500, paidCents: 2_000 }]);
  const [ann] = (
    await b.api.get<{ data: { id: string }[] }>(
      `/api/v1/programs/${b.program.id}/partners?sortBy=createdAt&sortOrder=asc`,
    )
  ).body.data;
  const balance = await b.api.get(`/api/v1/programs/${b.program.id}/partners/${ann?.id}/balance`);
  expect(balance.body['balances']).toMatchObject([
    { currency: 'jpy' },
    { currency: 'usd', approvedCents: 1_500, debtCents: 2_000, paidElsewhereCents: 2_000 },
  ]);
});

it('gives what is offered, with groups by their names (imports.md, Leaving)', async () => {
  const { api, program } = await openLeavingShop(app);
  const base = `/api/v1/programs/${program.id}`;
  const empty = await api.get(`${base}/export/terms`);
  expect([empty.status, empty.body]).toEqual([
    200,
    {
      groups: [
        expect.objectContaining({
          ...{ name: 'Default', isDefault: true, commission: null },
          publicApplications: program.publicApplications,
        }),
      ],
      rules: [],
      tiers: { metric: 'customers', window: 'lifetime', demote: false, steps: [] },
      bonuses: [],
    },
  ]);
  const commission = { type: 'percentage', rateBps: 3_000, recurring: true, recurringMonths: 6 };
  const gold = await api.post(`${base}/groups`, { name: 'Gold', commission, holdDays: 5 });
  const groupId = gold.body['id'];
  const rule = {
    name: 'Big',
    match: { groupIds: [groupId, program.id], minAmountCents: 5 },
    type: 'flat',
    amountCents: 9,
  };
  expect((await api.put(`${base}/commission-rules`, { rules: [rule] })).status).toBe(200);
  const tiers = { metric: 'revenue', steps: [{ atLeast: 7, groupId }] };
  expect((await api.put(`${base}/tiers`, tiers)).status).toBe(200);
  const bonus = { name: 'Ten', metric: 'customers', atLeast: 10, amountCents: 100 };
  const window = { from: null, to: '2030-01-01T00:00:00.000Z' };
  const bonuses = [{ ...bonus, window, groupIds: [groupId] }];
  expect((await api.put(`${base}/bonuses`, { bonuses })).status).toBe(200);

  const { body, text } = await api.get(`${base}/export/terms`);
  expect(body).toMatchObject({
    groups: [
      { name: 'Default' },
      { name: 'Gold', isDefault: false, commission, holdDays: 5, publicApplications: false },
    ],
    rules: [{ name: 'Big', match: { groups: ['Gold', 'Default'], minAmountCents: 5 } }],
    tiers: { metric: 'revenue', steps: [{ atLeast: 7, group: 'Gold' }] },
    bonuses: [{ ...bonus, window, currency: 'usd', groups: ['Gold'] }],
  });
  expect(text).not.toContain(String(groupId));
  expect(text).not.toContain(program.id);
});
