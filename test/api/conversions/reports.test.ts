import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildReportingMerchant,
  type Conversion,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

interface Page {
  data: Conversion[];
  total: number;
}

const app = useApp();
let merchant: Caller;
let click: ReportingMerchant['click'];
let promoCode: string;
let body: ReportingMerchant['body'];
let report: ReportingMerchant['report'];

beforeEach(async () => {
  ({ merchant, click, promoCode, body, report } = await buildReportingMerchant(app));
});

const path = '/api/v1/conversions';

describe('POST /api/v1/conversions', () => {
  it('answers 201 with Location and the conversion, which can be read back as it was answered', async () => {
    const created = await report({
      occurred_at: new Date(Date.now() - 60_000).toISOString(),
      customer_id: 'cus_42',
      prospect_email: 'Buyer@Example.com',
      metadata: { plan: 'pro', seats: 3, trial: false, coupon: null },
    });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({
      attributed: true,
      attribution: { reason: 'ATTRIBUTED', matched_by: 'click', click_id: click.id },
      commission: { status: 'pending', amount_cents: 980 },
      currency: 'usd',
      metadata: { plan: 'pro', seats: 3, trial: false, coupon: null },
      refunded_amount_cents: 0,
    });
    const location = created.headers.get('Location') ?? '';
    expect(location).toBe(`${path}/${created.body.id}`);
    expect((await merchant.get(location)).body).toEqual(created.body);
  });

  it("keeps the buyer's address only as a keyed hash", async () => {
    const { body: conversion } = await report({ prospect_email: 'Buyer@Example.com' });
    const [row] = await query<{ row: string }>(
      app.deps.db.manager,
      `SELECT v::text || d::text || coalesce((SELECT string_agg(e::text, '') FROM events e
                WHERE e.workspace_id = v.workspace_id), '') AS row
         FROM conversions v JOIN attribution_decisions d ON d.conversion_id = v.id
        WHERE v.id = $1`,
      [conversion.id],
    );
    expect(row?.row).toContain(app.deps.vault.contactHash('buyer@example.com'));
    expect(row?.row.toLowerCase()).not.toContain('buyer@');
  });

  it('takes any case of currency, and minor units up to a million millions', async () => {
    const { status, body: conversion } = await report({ amount_cents: 1e12, currency: 'JPY' });
    expect(status).toBe(201);
    expect(conversion).toMatchObject({
      amount_cents: 1e12,
      currency: 'jpy',
      commission: { amount_cents: 2e11, needs_review: true },
    });
  });

  it('lets null stand for absent everywhere, and "" in a signal', async () => {
    const { status, body: conversion } = await report({
      click_id: '',
      promo_code: promoCode.toLowerCase(),
      amount_cents: null,
      currency: null,
      occurred_at: null,
      prospect_email: null,
      customer_id: null,
      metadata: null,
    });
    expect(status).toBe(201);
    expect(conversion).toMatchObject({
      attribution: { matched_by: 'promo_code', click_id: null, promo_code: promoCode },
      amount_cents: 0,
      currency: null,
      customer_id: null,
      metadata: null,
      commission: null,
    });
  });

  it('lets an empty text stand for absent in every optional field', async () => {
    const empty = ['amount_cents', 'currency', 'occurred_at', 'customer_id', 'metadata'];
    const fields = Object.fromEntries([...empty, 'prospect_email'].map((name) => [name, '']));
    const { status, body: conversion } = await report(fields);
    expect(status).toBe(201);
    expect(conversion).toMatchObject({
      attributed: true,
      amount_cents: 0,
      currency: null,
      customer_id: null,
      metadata: null,
    });
  });

  it('keeps and shows what was sold, and adds nothing up', async () => {
    const items = [
      { product_id: ' prod_1 ', price_id: 'price_1', amount_cents: 1, quantity: 2, colour: 'red' },
      { product_id: 'prod_2', price_id: '', amount_cents: null },
    ];
    const { status, body: conversion } = await report({ items });
    expect(status).toBe(201);
    expect(conversion).toMatchObject({
      items: [
        { product_id: 'prod_1', price_id: 'price_1', amount_cents: 1, quantity: 2 },
        { product_id: 'prod_2', price_id: null, amount_cents: null, quantity: null },
      ],
      commission: { amount_cents: 980 },
    });
    expect((await merchant.get(`${path}/${conversion.id}`)).body).toEqual(conversion);
    for (const none of [[], null, '', undefined]) {
      expect((await report({ items: none })).body).toMatchObject({ items: null });
    }
  });

  it.each(['nobody', 'a b@c', `${'x'.repeat(400)}@example.com`, 'a@b@', '@', 'buyer@\u{1f600}'])(
    'takes a sale whose address is none, %j, and compares nothing',
    async (address) => {
      const answer = await report({ prospect_email: address });
      expect(answer.status).toBe(201);
      const [row] = await query<{ hash: string | null }>(
        app.deps.db.manager,
        'SELECT prospect_hash AS hash FROM conversions WHERE id = $1',
        [answer.body.id],
      );
      expect(row?.hash ?? null).toBeNull();
    },
  );

  it('takes clicks, codes and customers without what nobody sees at their ends', async () => {
    const clicked = await report({ click_id: `\ufeff ${click.id}\u200b\n` });
    expect(clicked.body.attribution).toMatchObject({ reason: 'ATTRIBUTED', click_id: click.id });
    const coded = await report({ click_id: null, promo_code: `\u00a0${promoCode}\u2060` });
    expect(coded.body.attribution).toMatchObject({ reason: 'ATTRIBUTED', promo_code: promoCode });
    const named = await report({ customer_id: '\u200e user 7 \u3000' });
    expect(named.body.customer_id).toBe('user 7');
    const none = await report({ click_id: ' \u200b', promo_code: '\n' });
    expect([none.status, none.body.code]).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
  });

  it.each(['guest', 'NULL', ' undefined ', '0', '-1', '{{customer.id}}', '[object Object]'])(
    'takes the customer %j for nobody, so that the next stranger is not credited by it',
    async (customer_id) => {
      const first = await report({ customer_id });
      expect([first.status, first.body.customer_id]).toEqual([201, null]);
      const next = await report({ click_id: null, promo_code: null, customer_id });
      expect([next.status, next.body.code]).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
    },
  );

  it('ignores unknown fields', async () => {
    expect((await report({ something: { deep: [1] }, id: newId() })).status).toBe(201);
  });

  it.each([
    ['a purchase long ago', '0001-01-01T00:00:00.000Z'],
    ['an offset', '2026-01-31T10:30:00+01:00'],
    ['no seconds', '2026-01-31T10:30Z'],
  ])('takes %s as the time of a promo code', async (_name, occurredAt) => {
    const { status, body: conversion } = await report({
      click_id: null,
      promo_code: promoCode,
      occurred_at: occurredAt,
    });
    expect(status).toBe(201);
    expect(conversion.occurred_at).toBe(new Date(occurredAt).toISOString());
    expect(conversion.attributed).toBe(true);
  });

  it('keeps a garbled signal cut, and is found by it', async () => {
    const garbled = `${'é'.repeat(254)}🎉${'x'.repeat(100_000)}`;
    const { status, body: conversion } = await report({ click_id: garbled, promo_code: garbled });
    expect(status).toBe(201);
    expect(conversion.attribution).toMatchObject({
      reason: 'CLICK_NOT_FOUND',
      click_id: 'é'.repeat(254),
      promo_code: 'é'.repeat(254),
    });
    const decision = await merchant.get(`/api/v1/attribution/decisions/${conversion.id}`);
    expect(JSON.stringify(decision.body).length).toBeLessThan(5_000);
    const search = new URLSearchParams({ click_id: 'é'.repeat(254) });
    const found = await merchant.get<Page>(`/api/v1/attribution/decisions?${search}`);
    expect(found.body.total).toBe(1);
  });

  it('gives text and metadata back exactly as they came', async () => {
    const text = `<script>alert('x')</script> '; DROP TABLE conversions; -- ünïcödé 🎉 \\ "quoted"\n`;
    const metadata = {
      zeta: 1,
      alpha: text,
      constructor: 'x',
      number: 1.5e300,
      negative: -12345.678,
    };
    const fields = {
      external_transaction_id: text,
      event_type: text.slice(0, 100),
      customer_id: text.trim(),
    };
    const { status, body: conversion } = await report({ ...fields, metadata });
    expect(status).toBe(201);
    expect(conversion).toMatchObject(fields);
    const read = await merchant.get(`${path}/${conversion.id}`);
    expect(JSON.stringify(read.body['metadata'])).toBe(JSON.stringify(metadata));
  });

  it('refuses a metadata key that JavaScript mistrusts', async () => {
    const raw = JSON.stringify(body()).replace(/}$/, ',"metadata":{"__proto__":"x"}}');
    expect((await merchant.post<Conversion>(path, raw)).status).toBe(400);
  });

  it.each(['x', 'x'.repeat(100_000), '😀'.repeat(50), '../../etc/passwd', '%00'])(
    'counts a garbled signal as not found and shows it as it came, cut',
    async (signal) => {
      const garbled = await report({ click_id: signal, promo_code: signal });
      expect(garbled.status).toBe(201);
      expect(garbled.body.attribution).toMatchObject({
        reason: 'CLICK_NOT_FOUND',
        matched_by: null,
        click_id: signal.slice(0, 255),
        promo_code: signal.slice(0, 255),
        participant_id: null,
      });
    },
  );
});
