import type { Click } from '../../../entities/tables/clicks/click.entity';
import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import {
  buildParticipant,
  buildPromoCode,
  type BuiltParticipant,
} from '../../support/build/programs';

interface Attribution {
  reason: string;
  matched_by: string | null;
  click_id: string | null;
  promo_code: string | null;
  participant_id: string | null;
  window_ends_at: string | null;
}

interface Conversion {
  id: string;
  external_transaction_id: string;
  attributed: boolean;
  attribution: Attribution;
  commission: { id: string; status: string; amount_cents: number } | null;
  event_type: string;
  amount_cents: number;
  currency: string | null;
  occurred_at: string;
  customer_id: string | null;
  metadata: Record<string, unknown> | null;
  refunded_amount_cents: number;
  created_at: string;
  code: string;
  details: { field: string; message: string }[];
}

interface Page {
  data: Conversion[];
  total: number;
}

let app: TestApp;
let merchant: Caller;
let participant: BuiltParticipant;
let click: Pick<Click, 'id'>;
let promoCode: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  const db = app.deps.db.manager;
  const key = await buildApiKey(db, { mode: 'test' });
  merchant = app.client.as(key.key);
  participant = await buildParticipant(db, { workspaceId: key.workspaceId, mode: 'test' });
  click = await buildClick(db, { participant, at: new Date(Date.now() - 3_600_000) });
  promoCode = (await buildPromoCode(db, participant)).code;
});

const path = '/api/v1/conversions';

function body(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    external_transaction_id: `order_${newId()}`,
    event_type: 'purchase',
    click_id: click.id,
    amount_cents: 4_900,
    currency: 'usd',
    ...fields,
  };
}

const report = (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  merchant.post<Conversion>(path, body(fields), { headers });

async function storedCount(): Promise<number> {
  const [row] = await query<{ total: number }>(
    app.deps.db.manager,
    'SELECT count(*) AS total FROM conversions WHERE workspace_id = $1',
    [participant.workspaceId],
  );
  return row?.total ?? -1;
}

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
      customer_id: text,
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

  it.each(['x', 'x'.repeat(100_000), '😀'.repeat(50), ' ', '../../etc/passwd', '%00'])(
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

const NUL = String.fromCharCode(0);
const wrongTypes = [true, 7, 1.5, [], ['x'], {}, { a: 1 }];
const texts = (name: string): [string, unknown][] => [
  ...wrongTypes.map((value): [string, unknown] => [name, value]),
  [name, `nul ${NUL}`],
  [name, 'lone \ud800 surrogate'],
];

describe('a bad field', () => {
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
    ['occurred_at', ''],
    ['occurred_at', 'yesterday'],
    ['occurred_at', '2026-01-31'],
    ['occurred_at', '2026-01-31T10:00:00'],
    ['occurred_at', '2026-02-30T10:00:00Z'],
    ['occurred_at', '0000-01-01T00:00:00Z'],
    ['occurred_at', '0001-01-01T00:00:00+14:00'],
    ['occurred_at', '9999-12-31T23:59:59Z'],
    ...texts('prospect_email'),
    ['prospect_email', ''],
    ['prospect_email', 'nobody'],
    ['prospect_email', `${'x'.repeat(320)}@example.com`],
    ...texts('customer_id'),
    ['customer_id', 'x'.repeat(256)],
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

describe('many at once', () => {
  it('200 equal reports make one 201 and 199 times 409', async () => {
    const same = body();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => merchant.post<Conversion>(path, same)),
    );
    const created = answers.filter(({ status }) => status === 201);
    expect(created).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(199);
    const locations = new Set(answers.map(({ headers }) => headers.get('Location')));
    expect([...locations]).toEqual([`${path}/${created[0]?.body.id}`]);
    expect(await storedCount()).toBe(1);
  });

  it('200 different reports, a bad one among them, are each answered for themselves', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        report(
          index % 10 === 0 ? { click_id: 'unknown' } : index % 10 === 1 ? { event_type: 7 } : {},
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(180);
    expect(statuses.filter((status) => status === 400)).toHaveLength(20);
    expect(answers.filter((answer) => answer.body.attributed)).toHaveLength(160);
    expect(await storedCount()).toBe(180);
  });
});

describe('Idempotency-Key', () => {
  it('replays the first answer, a refusal too, and does not mistake it for a duplicate', async () => {
    const same = { external_transaction_id: 'order_7' };
    const headers = { 'Idempotency-Key': 'key-1' };
    const first = await report(same, headers);
    const replay = await report(same, headers);
    expect([first.status, replay.status]).toEqual([201, 201]);
    expect(replay.body).toEqual(first.body);
    expect(replay.headers.get('Idempotent-Replayed')).toBe('true');

    const other = { 'Idempotency-Key': 'key-2' };
    const duplicate = await report(same, other);
    expect([duplicate.status, duplicate.headers.get('Location')]).toEqual([
      409,
      `${path}/${first.body.id}`,
    ]);
    expect((await report(same, other)).headers.get('Idempotent-Replayed')).toBe('true');
  });
});

describe('GET /api/v1/conversions', () => {
  const list = (search: string) => merchant.get<Page>(`${path}?${search}`);
  const idsOf = ({ body: page }: { body: Page }) => page.data.map(({ id }) => id);

  it('filters, newest first, by every id of the payment', async () => {
    const first = (await report({ event_type: 'signup' })).body;
    const second = (await report({ click_id: 'unknown' })).body;
    await query(
      app.deps.db.manager,
      `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
       VALUES ($1, 'test', 'pi_%_1', $2)`,
      [participant.workspaceId, first.id],
    );
    expect(idsOf(await list(''))).toEqual([second.id, first.id]);
    expect(idsOf(await list('attributed=true'))).toEqual([first.id]);
    expect(idsOf(await list('attributed=false'))).toEqual([second.id]);
    expect(idsOf(await list('event_type=signup'))).toEqual([first.id]);
    expect(idsOf(await list(`external_transaction_id=${second.external_transaction_id}`))).toEqual([
      second.id,
    ]);
    expect(idsOf(await list(`external_transaction_id=${encodeURIComponent('pi_%_1')}`))).toEqual([
      first.id,
    ]);
    expect(idsOf(await list('external_transaction_id=pi_x_1'))).toEqual([]);
    expect(idsOf(await list(`dateFrom=${first.created_at}&dateTo=${second.created_at}`))).toEqual(
      first.created_at === second.created_at ? [] : [first.id],
    );
    expect((await list('limit=1&page=2')).body).toMatchObject({
      data: [{ id: first.id }],
      total: 2,
      page: 2,
      limit: 1,
    });
  });

  it.each([
    'limit=101',
    'limit=0',
    'page=0',
    'attributed=maybe',
    'dateFrom=tomorrow',
    'dateTo=2026-13-01',
  ])('refuses %s', async (search) => {
    expect((await list(search)).status).toBe(400);
  });

  it('shows nothing of another workspace or mode, in lists or by id', async () => {
    const { body: conversion } = await report();
    const db = app.deps.db.manager;
    const { workspaceId } = participant;
    for (const key of [
      await buildApiKey(db),
      await buildApiKey(db, { workspaceId, mode: 'live' }),
    ]) {
      const stranger = app.client.as(key.key);
      expect((await stranger.get<Page>(path)).body.total).toBe(0);
      for (const route of ['', '/refunds']) {
        const answer = await stranger.get(`${path}/${conversion.id}${route}`);
        expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
      }
    }
    expect((await merchant.get(`${path}/nonsense`)).status).toBe(404);
  });
});

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
