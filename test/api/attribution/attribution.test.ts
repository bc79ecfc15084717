import type { DecisionTrace } from '../../../entities/rules/attribution/conversion';
import { newId } from '../../../entities/ids';
import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import {
  buildParticipant,
  buildProgram,
  buildPromoCode,
  type BuiltParticipant,
} from '../../support/build/programs';

interface Decision {
  conversion_id: string;
  reason: string;
  attributed: boolean;
  trace: DecisionTrace;
}

interface Page {
  data: Decision[];
  total: number;
}

const app = useApp();
let merchant: Caller;
let participant: BuiltParticipant;

beforeEach(async () => {
  const key = await buildApiKey(app.deps.db.manager, { mode: 'test' });
  merchant = app.client.as(key.key);
  const program = await buildProgram(app.deps.db.manager, {
    workspaceId: key.workspaceId,
    mode: 'test',
    rules: [
      {
        name: 'Signups',
        match: { eventTypes: ['signup'] },
        type: 'flat',
        rateBps: null,
        amountCents: 700,
        basis: null,
        holdDays: 0,
        autoApprove: false,
      },
    ],
  });
  participant = await buildParticipant(app.deps.db.manager, { program });
});

const report = (fields: Record<string, unknown>) => ({
  external_transaction_id: `order_${newId()}`,
  event_type: 'purchase',
  amount_cents: 4_900,
  currency: 'usd',
  ...fields,
});

async function post(fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await merchant.post<{ id: string }>(
    '/api/v1/conversions',
    report(fields),
  );
  expect(status).toBe(201);
  return body.id;
}

const decisions = '/api/v1/attribution/decisions';

describe('a decision', () => {
  it('tells everything that was considered', async () => {
    const db = app.deps.db.manager;
    const at = new Date(Date.now() - 3_600_000);
    const click = await buildClick(db, { participant, at });
    const other = await buildParticipant(db, {
      workspaceId: participant.workspaceId,
      mode: 'test',
    });
    const { code } = await buildPromoCode(db, other);
    const occurredAt = new Date(at.getTime() + 60_000).toISOString();
    const id = await post({
      click_id: click.id,
      promo_code: code.toLowerCase(),
      occurred_at: occurredAt,
    });

    const { status, body } = await merchant.get<Decision>(`${decisions}/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      conversion_id: id,
      attributed: true,
      matched_by: 'promo_code',
      participant_id: other.id,
      trace: {
        source: 'api',
        occurred_at: occurredAt,
        signals: { click_id: click.id, promo_code: code.toLowerCase() },
        candidates: [
          {
            signal: 'click',
            outcome: 'HOLDS',
            program: { id: participant.programId, status: 'active' },
            participant: { id: participant.id, status: 'approved', erased: false },
            window: {
              clicked_at: click.createdAt.toISOString(),
              window_ends_at: click.expiresAt.toISOString(),
              seconds_since_click: 60,
              inside: true,
            },
          },
          { signal: 'promo_code', outcome: 'HOLDS', participant: { id: other.id }, window: null },
        ],
        rule: null,
        terms: { type: 'percentage', rate_bps: 2_000, hold_days: 30 },
      },
    });
    expect(body.trace.fraud_rules).toHaveLength(8);
    expect(body.trace.fraud_rules).toContainEqual({
      rule: 'duplicate_customer',
      action: 'flag',
      hit: false,
      value: null,
      threshold: null,
    });
  });

  it('names the commission rule and the terms that it pinned', async () => {
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const id = await post({ promo_code: code, event_type: 'signup' });
    const { body } = await merchant.get<Decision>(`${decisions}/${id}`);
    expect(body.trace).toMatchObject({
      rule: 'Signups',
      terms: { type: 'flat', amount_cents: 700, hold_days: 0, auto_approve: false },
    });
  });

  it('is final: what changes later changes nothing of it', async () => {
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const id = await post({ promo_code: code });
    const before = (await merchant.get<Decision>(`${decisions}/${id}`)).body;
    await query(app.deps.db.manager, `UPDATE participants SET status = 'suspended' WHERE id = $1`, [
      participant.id,
    ]);
    expect((await merchant.get<Decision>(`${decisions}/${id}`)).body).toEqual(before);
  });

  it('of another workspace or mode, or an unknown or malformed id, is 404', async () => {
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const id = await post({ promo_code: code });
    const live = await buildApiKey(app.deps.db.manager, {
      workspaceId: participant.workspaceId,
      mode: 'live',
    });
    expect((await app.client.as(live.key).get(`${decisions}/${id}`)).status).toBe(404);
    for (const unknown of [newId(), 'nonsense']) {
      expect((await merchant.get(`${decisions}/${unknown}`)).body['code']).toBe('NOT_FOUND');
    }
  });
});

describe('the list of decisions', () => {
  it('is filtered by every signal and alias, reason, outcome and day', async () => {
    const db = app.deps.db.manager;
    const click = await buildClick(db, { participant, at: new Date(Date.now() - 60_000) });
    const { code } = await buildPromoCode(db, participant);
    const byClick = await post({ click_id: click.id.toUpperCase() });
    const byCode = await post({ promo_code: code });
    const garbled = `%_\\ ${'x'.repeat(200)}`;
    const lost = await post({ click_id: garbled, external_transaction_id: 'order_lost' });

    const find = async (search: Record<string, string>) => {
      const text = new URLSearchParams(search).toString();
      const { status, body } = await merchant.get<Page>(`${decisions}?${text}`);
      expect(status).toBe(200);
      expect(body.total).toBe(body.data.length);
      return body.data.map((row) => row.conversion_id);
    };
    expect(await find({})).toEqual([lost, byCode, byClick]);
    expect(await find({ click_id: click.id })).toEqual([byClick]);
    expect(await find({ click_id: click.id.toUpperCase() })).toEqual([byClick]);
    expect(await find({ click_id: garbled })).toEqual([lost]);
    expect(await find({ click_id: `${garbled}y` })).toEqual([]);
    expect(await find({ promo_code: code.toLowerCase() })).toEqual([byCode]);
    expect(await find({ external_transaction_id: 'order_lost' })).toEqual([lost]);
    expect(await find({ attributed: 'false' })).toEqual([lost]);
    expect(await find({ reason: 'CLICK_NOT_FOUND' })).toEqual([lost]);
    expect(await find({ reason: 'ATTRIBUTED', click_id: click.id })).toEqual([byClick]);
    expect(await find({ dateTo: '2020-01-01' })).toEqual([]);
  });

  it.each(['reason=NONE', 'attributed=1', 'dateFrom=x', 'limit=1000', 'click_id=%00'])(
    'refuses %s',
    async (search) => {
      expect((await merchant.get(`${decisions}?${search}`)).status).toBe(400);
    },
  );
});

describe('the dry run', () => {
  const dryRun = (fields: Record<string, unknown>) =>
    merchant.post<Record<string, unknown>>('/api/v1/attribution/dry-run', report(fields));

  it('answers 200 as the report would answer 201, and stores nothing', async () => {
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const transaction = { external_transaction_id: 'order_dry', promo_code: code };
    const dry = await dryRun(transaction);
    expect(dry.status).toBe(200);
    expect((await merchant.get(`/api/v1/conversions/${String(dry.body['id'])}`)).status).toBe(404);

    const real = await merchant.post('/api/v1/conversions', report(transaction));
    expect(real.status).toBe(201);
    expect(Object.keys(dry.body)).toEqual([...Object.keys(real.body), 'trace']);
    expect(dry.body['attribution']).toEqual(real.body['attribution']);
    const repeat = await dryRun(transaction);
    expect([repeat.status, repeat.body['code']]).toEqual([409, 'CONVERSION_DUPLICATE']);
  });

  it('takes any time, a future one too', async () => {
    const click = await buildClick(app.deps.db.manager, { participant });
    const late = await dryRun({ click_id: click.id, occurred_at: '2099-01-01T00:00:00Z' });
    expect(late.body).toMatchObject({ attribution: { reason: 'CLICK_EXPIRED' } });
  });

  it('answers for a time before what is known of the customer, and stores nothing', async () => {
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    const sale = { customer_id: 'user_dry', promo_code: code };
    const at = (occurred_at: string) => ({ ...sale, occurred_at });
    const first = at('2026-01-10T00:00:00Z');
    expect((await merchant.post('/api/v1/conversions', report(first))).status).toBe(201);
    const dry = await dryRun({ ...at('2026-01-05T00:00:00Z'), external_transaction_id: 'earlier' });
    expect([dry.status, dry.body['attribution']]).toMatchObject([200, { reason: 'ATTRIBUTED' }]);
    const id = String(dry.body['id']);
    expect((await merchant.get(`/api/v1/conversions/${id}`)).status).toBe(404);
  });

  it('refuses as the report does', async () => {
    const none = await dryRun({});
    expect([none.status, none.body['code']]).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
    expect((await dryRun({ promo_code: 'X', amount_cents: -1 })).status).toBe(400);
    const live = await buildParticipant(app.deps.db.manager, {
      workspaceId: participant.workspaceId,
      mode: 'live',
    });
    const { code } = await buildPromoCode(app.deps.db.manager, live);
    const mismatch = await dryRun({ promo_code: code });
    expect([mismatch.status, mismatch.body['code']]).toEqual([422, 'MODE_MISMATCH']);
  });
});

it.each(['GET /decisions', 'GET /decisions/x', 'POST /dry-run'])(
  '%s with a bad key is 401 INVALID_SECRET_KEY',
  async (route) => {
    const [method, path = ''] = route.split(' ');
    const caller = app.client.as('sk_test_00000000000000000000000000000000');
    const url = `/api/v1/attribution${path}`;
    const answer = method === 'GET' ? await caller.get(url) : await caller.post(url, {});
    expect([answer.status, answer.body['code']]).toEqual([401, 'INVALID_SECRET_KEY']);
  },
);
