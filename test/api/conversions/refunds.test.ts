import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildReportingMerchant,
  type Conversion,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

const app = useApp();
let merchant: Caller;
let report: ReportingMerchant['report'];

beforeEach(async () => {
  ({ merchant, report } = await buildReportingMerchant(app));
});

const path = '/api/v1/conversions';
const NUL = String.fromCharCode(0);

describe('refunds', () => {
  interface Refund {
    id: string;
    amount_cents: number;
    code: string;
  }
  const refund = (conversion: Conversion, fields: Record<string, unknown>) =>
    merchant.post<Refund>(`${path}/${conversion.id}/refunds`, fields);

  it('take from the commission at once; a repeat is the first one; no amount is all that is left', async () => {
    const { body: conversion } = await report();
    const part = { external_refund_id: 'r1', amount_cents: 1_900, reason: 'too large' };
    const first = await refund(conversion, part);
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ ...part, conversion_id: conversion.id });
    expect((await merchant.get<Conversion>(`${path}/${conversion.id}`)).body).toMatchObject({
      refunded_amount_cents: 1_900,
      commission: { status: 'pending', amount_cents: 600 },
    });

    const repeat = await refund(conversion, { external_refund_id: 'r1', amount_cents: 3_001 });
    expect([repeat.status, repeat.body]).toEqual([200, first.body]);

    const tooMuch = await refund(conversion, { external_refund_id: 'r2', amount_cents: 3_001 });
    expect([tooMuch.status, tooMuch.body.code]).toEqual([422, 'REFUND_EXCEEDS_AMOUNT']);
    const rest = await refund(conversion, { external_refund_id: 'r2' });
    expect(rest.body.amount_cents).toBe(3_000);
    const nothingLeft = await refund(conversion, { external_refund_id: 'r3' });
    expect(nothingLeft.status).toBe(422);

    const after = await merchant.get<Conversion>(`${path}/${conversion.id}`);
    expect(after.body).toMatchObject({
      attributed: true,
      refunded_amount_cents: 4_900,
      commission: { status: 'refunded', amount_cents: 0 },
    });
    const page = await merchant.get<{ data: Refund[]; total: number }>(
      `${path}/${conversion.id}/refunds`,
    );
    expect(page.body.data.map(({ id }) => id)).toEqual([first.body.id, rest.body.id]);
    const events = await query<{ type: string }>(
      app.deps.db.manager,
      'SELECT type FROM events WHERE object_id = $1 ORDER BY seq',
      [conversion.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'conversion.created',
      'conversion.refunded',
      'conversion.refunded',
    ]);
  });

  it('at once never exceed the amount', async () => {
    const { body: conversion } = await report({ amount_cents: 1_000 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        refund(conversion, { external_refund_id: `r${index % 10}`, amount_cents: 300 }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(14);
    const after = await merchant.get<Conversion>(`${path}/${conversion.id}`);
    expect(after.body.refunded_amount_cents).toBe(900);
  });

  it.each([
    { external_refund_id: 'r', amount_cents: 0 },
    { external_refund_id: 'r', amount_cents: 1.5 },
    { external_refund_id: 'r', amount_cents: '1' },
    { external_refund_id: '' },
    { external_refund_id: 'x'.repeat(256) },
    { external_refund_id: 7 },
    { external_refund_id: 'r', reason: 'x'.repeat(501) },
    { external_refund_id: 'r', reason: `nul ${NUL}` },
    { amount_cents: 1 },
  ])('refuse %j', async (fields) => {
    const { body: conversion } = await report();
    expect((await refund(conversion, fields)).status).toBe(400);
  });

  it('of an unknown conversion: 404', async () => {
    const answer = await merchant.post(`${path}/${newId()}/refunds`, { external_refund_id: 'r' });
    expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
  });
});
