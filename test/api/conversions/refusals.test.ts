import { newId } from '../../../entities/ids';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildClick } from '../../support/build/clicks';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import {
  buildReportingMerchant,
  type Conversion,
  type ReportingMerchant,
} from '../../support/shops/reporting-merchant';

const app = useApp();
let merchant: Caller;
let participant: BuiltParticipant;
let promoCode: string;
let body: ReportingMerchant['body'];
let report: ReportingMerchant['report'];
let storedCount: ReportingMerchant['storedCount'];

beforeEach(async () => {
  ({ merchant, participant, promoCode, body, report, storedCount } =
    await buildReportingMerchant(app));
});

const path = '/api/v1/conversions';
const NUL = String.fromCharCode(0);
const wrongTypes = [true, 7, 1.5, [], ['x'], {}, { a: 1 }];
const texts = (name: string): [string, unknown][] => [
  ...wrongTypes.map((value): [string, unknown] => [name, value]),
  [name, `nul ${NUL}`],
  [name, 'lone \ud800 surrogate'],
];

describe('a bad field (requests.md, Shapes)', () => {
  const deep = JSON.parse('{"a":'.repeat(40) + '1' + '}'.repeat(40)) as unknown;
  const table: [string, unknown][] = [
    ...texts('external_transaction_id'),
    ['external_transaction_id', undefined],
    ['external_transaction_id', null],
    ['external_transaction_id', ''],
    ['external_transaction_id', 'x'.repeat(256)],
    ...texts('event_type'),
    ['event_type', undefined],
    ['event_type', null],
    ['event_type', ''],
    ['event_type', 'x'.repeat(101)],
    ...texts('click_id'),
    ...texts('promo_code'),
    ['amount_cents', -1],
    ['amount_cents', 1.5],
    ['amount_cents', 1e12 + 1],
    ['amount_cents', 1e300],
    ['amount_cents', '100'],
    ['amount_cents', true],
    ['amount_cents', [1]],
    ...texts('currency'),
    ['currency', 'us'],
    ['currency', 'zzz'],
    ['currency', undefined],
    ['currency', null],
    ...texts('occurred_at'),
    ['occurred_at', 'yesterday'],
    ['occurred_at', '2026-01-31'],
    ['occurred_at', '2026-01-31T10:00:00'],
    ['occurred_at', '2026-02-30T10:00:00Z'],
    ['occurred_at', '0000-01-01T00:00:00Z'],
    ['occurred_at', '0001-01-01T00:00:00+14:00'],
    ['occurred_at', '9999-12-31T23:59:59Z'],
    ...texts('prospect_email'),
    ['prospect_email', `nul ${NUL}@example.com`],
    ...texts('customer_id'),
    ['customer_id', 'x'.repeat(256)],
    ['items', 'text'],
    ['items', { product_id: 'p' }],
    ['items', ['p']],
    ['items', [{}]],
    ['items', [{ product_id: '' }]],
    ['items', [{ product_id: 'x'.repeat(256) }]],
    ['items', [{ product_id: 'p', amount_cents: -1 }]],
    ['items', [{ product_id: 'p', quantity: 1.5 }]],
    ['items', Array.from({ length: 51 }, () => ({ product_id: 'p' }))],
    ['metadata', 'text'],
    ['metadata', 7],
    ['metadata', true],
    ['metadata', []],
    ['metadata', { a: {} }],
    ['metadata', { a: [] }],
    ['metadata', { a: `nul ${NUL}` }],
    ['metadata', { [`nul ${NUL}`]: 1 }],
    ['metadata', { a: 'lone \udfff surrogate' }],
    ['metadata', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, 1]))],
    ['metadata', { '': 1 }],
    ['metadata', { ['k'.repeat(41)]: 1 }],
    ['metadata', { a: 'x'.repeat(501) }],
    ['metadata', Object.fromEntries([...'abcdefghijklmnopqr'].map((k) => [k, 'x'.repeat(500)]))],
    ['metadata', deep],
  ];

  it.each(table)('%s %j is refused and nothing is stored', async (field, value) => {
    const answer = await report({ [field]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
    expect(answer.body.details.length).toBeGreaterThan(0);
    // What is nested too deep is refused before its field is looked at.
    expect([field, 'body']).toContain(answer.body.details[0]?.field.split(/[.[]/)[0]);
    expect(await storedCount()).toBe(0);
  });

  it('comes before a missing signal, and leaves the Idempotency-Key free', async () => {
    const late = new Date(Date.now() + 3_600_000).toISOString();
    const fields = { click_id: null, promo_code: null };
    const key = { 'Idempotency-Key': newId() };
    const refused = await report({ ...fields, occurred_at: late }, key);
    expect(refused.body.code).toBe('VALIDATION_ERROR');
    const answered = await report(fields, key);
    expect(answered.body.code).toBe('NO_ATTRIBUTION_SIGNAL');
    expect(answered.headers.get('Idempotent-Replayed')).toBeNull();
    // A 422 is stored: now the key stands for this body.
    expect((await report({}, key)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('metadata numbers that no double holds are refused', async () => {
    const raw = JSON.stringify(body()).replace(/}$/, ',"metadata":{"n":1e999}}');
    expect((await merchant.post(path, raw)).status).toBe(400);
  });

  it.each(['', '{', '[]', '"text"', 'null', '7', '{"a":}', '[{}]'])(
    'a body of %j is refused',
    async (raw) => {
      const answer = await merchant.post<Conversion>(path, raw);
      expect(answer.status).toBe(400);
      expect(answer.body.details[0]?.field).toBe('body');
    },
  );

  it('every problem is reported at once', async () => {
    const answer = await report({ event_type: 7, amount_cents: -1, metadata: [] });
    expect(answer.body.details.map(({ field }) => field).sort()).toEqual([
      'amount_cents',
      'event_type',
      'metadata',
    ]);
  });
});

describe('refusals', () => {
  it('without a signal: 422, and the id stays free', async () => {
    const transaction = { external_transaction_id: 'order_free' };
    const refused = await report({ ...transaction, click_id: '', promo_code: null });
    expect([refused.status, refused.body.code]).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
    expect((await report(transaction)).status).toBe(201);
  });

  it('of a repeat: 409 with the Location of the first, before a mode mismatch', async () => {
    const live = await buildParticipant(app.deps.db.manager, {
      workspaceId: participant.workspaceId,
      mode: 'live',
    });
    const foreign = await buildClick(app.deps.db.manager, { participant: live });
    const first = await report({ external_transaction_id: 'order_1' });
    for (const fields of [{}, { click_id: foreign.id }, { click_id: 'unknown', amount_cents: 1 }]) {
      const repeat = await report({ external_transaction_id: 'order_1', ...fields });
      expect([repeat.status, repeat.body.code]).toEqual([409, 'CONVERSION_DUPLICATE']);
      expect(repeat.headers.get('Location')).toBe(`${path}/${first.body.id}`);
    }
    const none = await report({ external_transaction_id: 'order_1', click_id: null });
    expect(none.body.code).toBe('NO_ATTRIBUTION_SIGNAL');
    const mismatch = await report({ click_id: foreign.id, promo_code: promoCode });
    expect([mismatch.status, mismatch.body.code]).toEqual([422, 'MODE_MISMATCH']);
    expect(await storedCount()).toBe(1);
  });

  it.each(['', 'Bearer nonsense', 'Bearer pk_test_00000000000000000000000000000000', 'Basic eDp5'])(
    'of the credential %j: 401 INVALID_API_KEY, here and on refunds',
    async (authorization) => {
      const headers = { Authorization: authorization };
      for (const route of [path, `${path}/${newId()}/refunds`]) {
        const answer = await app.client.post(route, body(), { headers });
        expect([answer.status, answer.body['code']]).toEqual([401, 'INVALID_API_KEY']);
      }
    },
  );
});
