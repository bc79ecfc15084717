import { commissions, links, partners, useImportShop } from '../../support/import-shop';

const own = useImportShop();

it('takes off a refund of an imported sale, and not what was refunded before', async () => {
  await own.bring();
  const refund = async (sale: string, amount: number) => {
    const found = await own.shop.get<{ data: { id: string }[] }>(
      `/api/v1/conversions?external_transaction_id=${sale}`,
    );
    return own.shop.post(`/api/v1/conversions/${found.body.data[0]?.id}/refunds`, {
      external_refund_id: `r-${sale}`,
      amount_cents: amount,
    });
  };
  const dueOf = async (sale: string) => {
    const row = (await own.listCommissions()).find((one) => one.externalTransactionId === sale);
    return [row?.status, row?.amountCents];
  };
  await refund('ch_3', 5_000);
  expect(await dueOf('ch_3')).toEqual(['approved', 1_000]);
  await refund('ch_6', 2_500);
  expect(await dueOf('ch_6')).toEqual(['approved', 500]);
  await refund('ch_5', 10_000);
  expect(await dueOf('ch_5')).toEqual(['rejected', 700]);
  const [ann] = await own.partnersHere();
  await refund('ch_2', 10_000);
  expect(await dueOf('ch_2')).toEqual(['refunded', 0]);
  expect(ann).toBeDefined();
});

it('counts imported sales as revenue of their own day, and not as conversions', async () => {
  await own.bring();
  const metrics = await own.api.get(
    `/api/v1/analytics/metrics?programId=${own.program.id}&from=2025-06-01&to=2025-06-30&tz=UTC`,
  );
  expect(metrics.body['current']).toMatchObject({
    conversions: 0,
    newCustomers: 0,
    revenue: [{ currency: 'usd', amountCents: 10_000 }],
  });
});

it('takes over a sale that is here without a commission, and leaves one that has one', async () => {
  await own.bring({ partners, links });
  const [ann] = await own.partnersHere();
  const code = { promo_code: 'ANN10', occurred_at: '2026-05-05T00:00:00Z' };
  const known = await own.report({ external_transaction_id: 'ch_3', ...code });
  expect(known.body.attributed).toBe(true);
  const missed = await own.report({ external_transaction_id: 'ch_2', promo_code: 'NOBODY' });
  expect(missed.body.attributed).toBe(false);
  const again = await own.begin({ commissions });
  const checked = await again.check();
  expect(checked.report?.problems.sample).toMatchObject([{ id: 'c3', code: 'SALE_KNOWN' }]);
  expect(checked.report?.money).toMatchObject([{ knownHereCents: 2_000 }]);
  await again.apply();
  const found = await own.shop.get<{ data: object[] }>(
    '/api/v1/conversions?external_transaction_id=ch_2',
  );
  expect(found.body.data).toMatchObject([
    {
      attributed: true,
      source: 'api',
      attribution: { matched_by: 'import', participant_id: ann?.id },
    },
  ]);
});

it('pays what is open, and nothing that was paid over there', async () => {
  await own.bring();
  const preview = await own.api.post<{ items: { partnerName: string; amountCents: number }[] }>(
    '/api/v1/payouts/preview',
    { programId: own.program.id },
  );
  const byName = preview.body.items.sort((a, b) => a.partnerName.localeCompare(b.partnerName));
  expect(byName).toMatchObject([
    { partnerName: 'Ann', amountCents: 2_500 },
    { partnerName: 'Bob', amountCents: 100 },
  ]);
});

it('pays by the way that was told, and leaves it out where that is not enough', async () => {
  await own.bring();
  const asked = { programId: own.program.id, requireConfirmed: true };
  const preview = await own.api.post<{ leftOut: object[] }>('/api/v1/payouts/preview', asked);
  expect(preview.body.leftOut).toMatchObject([{ partnerName: 'Ann', why: 'unconfirmed_method' }]);
  const payout = await own.api.post<{ items: object[] }>('/api/v1/payouts', {
    programId: own.program.id,
  });
  expect(payout.body.items).toMatchObject([
    { partnerName: 'Ann', method: { type: 'paypal', label: 'PayPal, a***@example.com' } },
    { partnerName: 'Bob', method: null },
  ]);
});
