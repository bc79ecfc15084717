import { relayHandlers } from '../../../workers/relay/handlers';
import { relayOnce } from '../../support/workers/relay-once';
import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { links, partners, useImportShop } from '../../support/import-shop';
import { csvOf } from '../../support/imports';

const own = useImportShop();

it('goes on with a customer who was bought years ago, by the old first payment', async () => {
  await own.bring();
  const [ann] = await own.partnersHere();
  const within = await own.report({
    external_transaction_id: 'n1',
    customer_id: 'cus_1',
    occurred_at: '2026-06-05T00:00:00Z',
  });
  expect(within.body).toMatchObject({
    attributed: true,
    attribution: { participant_id: ann?.id, matched_by: 'customer' },
    commission: { amount_cents: expect.any(Number) },
  });
  const past = await own.report({
    external_transaction_id: 'n2',
    customer_id: 'u1',
    occurred_at: '2026-06-10T00:00:01Z',
  });
  expect(past.body).toMatchObject({ attributed: true, commission: null });
});

it('credits nothing that the old system has dealt with', async () => {
  await own.bring();
  const before = await own.report({
    external_transaction_id: 'n3',
    customer_id: 'u1',
    occurred_at: '2026-05-31T00:00:00Z',
  });
  expect(before.body).toMatchObject({
    attributed: false,
    attribution: { reason: 'BEFORE_CUTOVER' },
    commission: null,
  });
  const same = await own.report({ external_transaction_id: 'in_1', customer_id: 'u1' });
  expect(codeOf(same)).toEqual([409, 'CONVERSION_DUPLICATE']);
  const early = await own.report({
    external_transaction_id: 'n4',
    customer_id: 'u2',
    occurred_at: '2026-04-01T00:00:00Z',
  });
  expect(codeOf(early)).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
  const after = await own.report({
    external_transaction_id: 'n5',
    customer_id: 'u2',
    occurred_at: '2026-06-02T00:00:00Z',
  });
  expect(after.body).toMatchObject({ attributed: true });
});

it('credits what the old system has dealt with to no code either, whoever’s it is', async () => {
  await own.bring();
  const byCode = (id: string, day: string) => {
    const told = { external_transaction_id: id, customer_id: 'u2', promo_code: 'ANN10' };
    return own.report({ ...told, occurred_at: `${day}T00:00:00Z` });
  };
  for (const [id, day] of [
    ['n6', '2026-05-15'],
    // This sale is from before the old system bound them.
    ['n7', '2026-04-15'],
  ] as const) {
    const { body } = await byCode(id, day);
    expect(body).toMatchObject({ attributed: false, attribution: { reason: 'BEFORE_CUTOVER' } });
  }
  const [ann] = await own.partnersHere();
  expect((await byCode('n8', '2026-06-03')).body).toMatchObject({
    ...{ attributed: true, attribution: { participant_id: ann?.id } },
  });
  const u2 = await own.shop.get<{ participant_id: string }>('/api/v1/customers/u2');
  expect(u2.body.participant_id).not.toBe(ann?.id);
});

it('gives a customer who is here as the same partner’s the earlier times', async () => {
  await own.bring({ partners, links });
  await own.report({ external_transaction_id: 'm1', customer_id: 'mine', promo_code: 'ANN10' });
  const rows = ['p1', 'p2'].map((partner_id, n) => ({
    ...{ partner_id, customer_id: n === 0 ? 'mine' : 'm-other', aliases: n === 0 ? '' : 'mine' },
    ...{ bound_at: '2025-03-01', first_paid_at: '2025-03-02' },
  }));
  const one = await own.bring({ customers: csvOf(rows) });
  const { report } = await one.read();
  expect(report?.problems.sample).toMatchObject([{ id: 'm-other', code: 'CUSTOMER_TAKEN' }]);
  const handlers = relayHandlers(own.app.deps);
  await relayOnce(own.app.deps, 'credit', handlers.credit);
  const [ann] = await own.partnersHere();
  const { body } = await own.shop.get('/api/v1/customers/mine');
  expect(body).toMatchObject({
    ...{ participant_id: ann?.id, bound_at: '2025-03-01T00:00:00.000Z' },
    first_paid_at: '2025-03-02T00:00:00.000Z',
  });
});

const twins = [
  { partner_id: 'p1', customer_id: 't1', aliases: 'cus_t', bound_at: '2026-02-01' },
  { partner_id: 'p1', customer_id: 't2', aliases: 'cus_t', bound_at: '2026-01-01' },
  { partner_id: 'p2', customer_id: 't3', aliases: 'cus_t', bound_at: '2025-01-01' },
];

it('takes two rows of one customer for one, since the earlier time, and another partner’s for taken', async () => {
  const one = await own.bring({ partners, links, customers: csvOf(twins) });
  const { report } = await one.read();
  expect(report?.kinds[2]).toMatchObject({ read: 3, new: 2, skipped: 1 });
  expect(report?.problems.sample).toMatchObject([{ id: 't3', code: 'CUSTOMER_TAKEN' }]);
  const [ann] = await own.partnersHere();
  for (const id of ['t1', 't2', 'cus_t']) {
    const { body } = await own.shop.get(`/api/v1/customers/${id}`);
    expect(body['participant_id']).toBe(ann?.id);
  }
  const bindings = await query<{ boundAt: Date }>(
    own.db,
    `SELECT bound_at AS "boundAt" FROM customer_bindings WHERE program_id = $1`,
    [own.program.id],
  );
  expect(bindings).toEqual([{ boundAt: new Date('2026-01-01T00:00:00Z') }]);
  expect((await own.shop.get('/api/v1/customers/t3')).status).toBe(404);
});
