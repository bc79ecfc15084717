import { beginImport, csvOf, workOn } from '../../support/imports';
import { buildProgram } from '../../support/build/programs';
import { commissions, links, partners, sale, useImportShop } from '../../support/import-shop';

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

const refundOf = async (sale: string, id: string, amount: number): Promise<void> => {
  const found = await own.shop.get<{ data: { id: string }[] }>(
    `/api/v1/conversions?external_transaction_id=${sale}`,
  );
  const path = `/api/v1/conversions/${found.body.data[0]?.id}/refunds`;
  const told = await own.shop.post(path, { external_refund_id: id, amount_cents: amount });
  expect(told.status).toBe(201);
};

/** An approved commission of Ann's, of a sale of 100 dollars unless it is told otherwise. */
const earned = (more: Record<string, string>): Record<string, string> => {
  return { ...sale, status: 'approved', occurred_at: '2026-05-04', ...more };
};

const dueOf = async (id: string) =>
  (await own.listCommissions())
    .filter(({ externalTransactionId }) => externalTransactionId === id)
    .map(({ status, amountCents }) => [status, amountCents]);

describe('a refund by API of a sale that an import takes over', () => {
  const takeOver = async (more: Record<string, string> = {}) => {
    const commissions = csvOf([
      earned({ commission_id: 't', sale_id: 'sale', amount: '10.00', ...more }),
    ]);
    const one = await own.begin({ commissions });
    await one.check();
    await one.apply();
    return one;
  };
  const at = (day: string): void => own.app.deps.clock.set(new Date(`${day}T12:00:00Z`));

  beforeEach(async () => {
    await own.bring({ partners, links });
    at('2026-05-10');
    await own.report({ external_transaction_id: 'sale', promo_code: 'NOBODY' });
  });

  it.each([
    ['as the import tells it, too', { sale_refunded: '50.00' }],
    ['and not told by the import', {}],
  ])('is in the told sum up to the cutover: %s', async (_, more) => {
    await refundOf('sale', 'before', 5_000);
    at('2026-06-10');
    await takeOver(more);
    expect(await dueOf('sale')).toEqual([['approved', 1_000]]);
    await refundOf('sale', 'after', 2_500);
    expect(await dueOf('sale')).toEqual([['approved', 500]]);
  });

  it('takes off its share of the rest where it came after the cutover, before the import', async () => {
    at('2026-06-05');
    await refundOf('sale', 'between', 2_500);
    at('2026-06-10');
    await takeOver({ sale_refunded: '50.00' });
    expect(await dueOf('sale')).toEqual([['approved', 500]]);
  });

  it('is all that is left of what came back once the import is undone', async () => {
    await refundOf('sale', 'before', 2_500);
    at('2026-06-10');
    const one = await takeOver({ sale_refunded: '50.00' });
    const refunded = async () =>
      (await own.shop.get<{ data: object[] }>('/api/v1/conversions?external_transaction_id=sale'))
        .body.data;
    expect(await refunded()).toMatchObject([{ refunded_amount_cents: 5_000 }]);
    expect((await own.api.post(`${one.path}/undo`)).status).toBe(202);
    await workOn(own.app.deps, one.path.split('/').at(-1) ?? '');
    expect(await refunded()).toMatchObject([{ attributed: false, refunded_amount_cents: 2_500 }]);
  });

  it('keeps the import from being undone once something came back since', async () => {
    await refundOf('sale', 'before', 2_500);
    at('2026-06-10');
    const one = await takeOver();
    at('2026-06-11');
    await refundOf('sale', 'after', 2_500);
    const refused = await own.api.post(`${one.path}/undo`);
    expect([refused.status, refused.body['counts']]).toMatchObject([409, { refunded: 1 }]);
  });

  it('leaves the told sum where the sale is told with another amount', async () => {
    at('2026-06-10');
    await takeOver({ sale_amount: '119.00' });
    await refundOf('sale', 'after', 5_000);
    expect(await dueOf('sale')).toEqual([['approved', 500]]);
  });
});

it('books a sale once, whatever an import is named and whichever programme it is of', async () => {
  await own.bring({ partners, commissions });
  const { id: programId } = await buildProgram(own.db, { workspaceId: own.owner.workspaceId });
  const again = await own.begin({ partners, commissions }, { name: 'other' });
  const { report } = await again.check();
  const codes = new Set(report?.problems.sample.map(({ code }) => code));
  expect([...codes]).toEqual(['SALE_KNOWN']);
  // The one without a sale is another system's other commission, by all that is told.
  expect(report?.kinds[3]).toMatchObject({ read: 8, new: 1 });
  await own.api.post(`${again.path}/cancel`);
  const beside = await beginImport(own.app.deps, own.api, {
    programId,
    files: { partners, commissions },
  });
  expect((await beside.check()).report?.kinds[3]).toMatchObject({ read: 8, new: 1 });
});

it('names a sale without an id after its commission, and so does each import', async () => {
  const row = earned({ commission_id: '1', amount: '10.00' });
  const files = { partners, commissions: csvOf([row]) };
  await own.bring(files);
  const other = await own.begin(files, { name: 'other' });
  await other.check();
  expect((await other.apply()).report?.problems.count).toBe(0);
  const { id: programId } = await buildProgram(own.db, { workspaceId: own.owner.workspaceId });
  const beside = await beginImport(own.app.deps, own.api, { programId, files });
  await beside.check();
  expect((await beside.apply()).status).toBe('applied');
  const names = (await own.listCommissions()).map((one) => one.externalTransactionId).sort();
  expect(names).toEqual([`import:csv:${other.path.split('/').at(-1)}:1`, 'import:csv:1']);
});

it('gives a sale to what was earned of it, and not to what was taken back on the same day', async () => {
  const commissions = csvOf([
    earned({ commission_id: 'back', sale_id: 'both', amount: '-5.00' }),
    earned({ commission_id: 'whole', sale_id: 'both', amount: '20.00' }),
  ]);
  await own.bring({ partners, commissions });
  await refundOf('both', 'r', 5_000);
  expect(await dueOf('both')).toEqual([['approved', 1_000]]);
});
