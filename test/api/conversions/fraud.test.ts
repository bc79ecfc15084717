import { Program } from '../../../entities/tables/programs/program.entity';
import { fraudRules } from '../../../entities/rules/fraud/fraud';
import type { DecisionTrace } from '../../../entities/rules/attribution/conversion';
import { execute, query } from '../../../entities/database/sql';
import { asOwner } from '../../support/database';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildClick, type ClickOverrides } from '../../support/build/clicks';
import { buildConversion, type ConversionOverrides } from '../../support/build/conversions';
import {
  buildParticipant,
  buildProgram,
  buildPromoCode,
  type BuiltParticipant,
} from '../../support/build/programs';
import type { ConversionRecord } from '../../../activities/conversions/conversion';

interface Rule {
  rule: string;
  action: string;
  threshold: number | null;
}

interface Rules {
  rules: Rule[];
  details: { field: string }[];
}

interface Flags {
  data: { rule: string; value: unknown; conversion: { id: string }; commission: unknown }[];
  total: number;
}

let app: TestApp;
let participant: BuiltParticipant;
let admin: Caller;
let base: string;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

async function callerOf(role: 'viewer' | 'member' | 'admin', workspaceId: string): Promise<Caller> {
  const member = await buildMember(app.deps.db.manager, { workspaceId, role });
  return app.client.as((await signIn(app.deps, member)).accessToken, 'live');
}

beforeEach(async () => {
  const db = app.deps.db.manager;
  const partner = await buildPartner(db, { email: `Ann.Partner.${Date.now()}@gmail.com` });
  participant = await buildParticipant(db, { partnerId: partner.id, partnerEmail: partner.email });
  admin = await callerOf('admin', participant.workspaceId);
  base = `/api/v1/programs/${participant.programId}`;
});

const put = (rules: unknown) => admin.put<Rules>(`${base}/fraud-rules`, { rules });
const set = async (rule: string, action: string, threshold?: number) => {
  expect((await put([{ rule, action, threshold }])).status).toBe(200);
};

describe('the rules of a programme', () => {
  it('are all eight, with their defaults', async () => {
    const { body } = await admin.get<Rules>(`${base}/fraud-rules`);
    expect(body.rules).toEqual([
      { rule: 'self_referral_email', action: 'hold', threshold: null },
      { rule: 'same_ip_as_partner', action: 'flag', threshold: null },
      { rule: 'disposable_email', action: 'flag', threshold: null },
      { rule: 'click_velocity', action: 'flag', threshold: 30 },
      { rule: 'too_fast_conversion', action: 'flag', threshold: 10 },
      { rule: 'duplicate_customer', action: 'flag', threshold: null },
      { rule: 'bot_click', action: 'flag', threshold: null },
      { rule: 'refund_rate', action: 'flag', threshold: 20 },
    ]);
  });

  it('change as named, and what was read can be put back', async () => {
    const changed = await put([
      { rule: 'click_velocity', action: 'reject', threshold: 5 },
      { rule: 'bot_click', action: 'off' },
    ]);
    const inForce = changed.body.rules;
    expect(inForce.find(({ rule }) => rule === 'click_velocity')).toMatchObject({
      action: 'reject',
      threshold: 5,
    });
    await set('click_velocity', 'hold');
    const read = await admin.get<Rules>(`${base}/fraud-rules`);
    expect(read.body.rules.find(({ rule }) => rule === 'click_velocity')).toMatchObject({
      action: 'hold',
      threshold: 5,
    });
    expect((await put(read.body.rules)).body).toEqual(read.body);
    const audit = await query<{ action: string }>(
      app.deps.db.manager,
      'SELECT action FROM audit_log WHERE workspace_id = $1',
      [participant.workspaceId],
    );
    expect(audit.map(({ action }) => action)).toEqual(Array(3).fill('fraud_rules.updated'));
  });

  it('changed at once by several keep every change', async () => {
    await Promise.all(fraudRules.map((rule) => set(rule, 'off')));
    const { body } = await admin.get<Rules>(`${base}/fraud-rules`);
    expect(body.rules.every(({ action }) => action === 'off')).toBe(true);
  });

  const bad: [string, unknown][] = [
    ['an unknown rule', [{ rule: 'vpn', action: 'flag' }]],
    [
      'a rule named twice',
      [
        { rule: 'bot_click', action: 'flag' },
        { rule: 'bot_click', action: 'off' },
      ],
    ],
    ['a bad action', [{ rule: 'bot_click', action: 'ban' }]],
    ['no action', [{ rule: 'bot_click' }]],
    ['a negative threshold', [{ rule: 'click_velocity', action: 'flag', threshold: -1 }]],
    ['half a click', [{ rule: 'click_velocity', action: 'flag', threshold: 1.5 }]],
    ['a threshold as text', [{ rule: 'click_velocity', action: 'flag', threshold: '5' }]],
    ['null where there must be one', [{ rule: 'click_velocity', action: 'flag', threshold: null }]],
    ['one where there is none', [{ rule: 'bot_click', action: 'flag', threshold: 1 }]],
    ['an unknown field', [{ rule: 'bot_click', action: 'flag', note: 'x' }]],
    ['no list', 'all'],
    ['a list of something else', [7]],
  ];

  it.each(bad)('with %s are refused as a whole', async (_name, rules) => {
    const good = { rule: 'refund_rate', action: 'off' };
    const answer = await put(Array.isArray(rules) ? [good, ...(rules as unknown[])] : rules);
    expect(answer.status).toBe(400);
    const { body } = await admin.get<Rules>(`${base}/fraud-rules`);
    expect(body.rules.at(-1)).toEqual({ rule: 'refund_rate', action: 'flag', threshold: 20 });
  });

  it('stay as they were when the programme is archived', async () => {
    await app.deps.db.manager.update(
      Program,
      { id: participant.programId },
      { status: 'archived' },
    );
    const refused = await put([{ rule: 'bot_click', action: 'off' }]);
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'PROGRAM_ARCHIVED' }]);
    expect((await admin.get(`${base}/fraud-rules`)).status).toBe(200);
  });

  it('are read by viewers and set by admins of their own workspace', async () => {
    const viewer = await callerOf('viewer', participant.workspaceId);
    const member = await callerOf('member', participant.workspaceId);
    expect((await viewer.get(`${base}/fraud-rules`)).status).toBe(200);
    expect((await viewer.get(`${base}/fraud-flags`)).status).toBe(200);
    expect((await member.put(`${base}/fraud-rules`, { rules: [] })).status).toBe(403);
    expect((await member.post(`${base}/fraud-rules/back-test`, {})).status).toBe(403);
    const foreign = await buildProgram(app.deps.db.manager);
    for (const route of ['fraud-rules', 'fraud-flags']) {
      expect((await admin.get(`/api/v1/programs/${foreign.id}/${route}`)).status).toBe(403);
      expect((await admin.get(`/api/v1/programs/nonsense/${route}`)).status).toBe(404);
    }
  });
});

const hour = 3_600_000;

/** A conversion by a click that nothing is wrong with, but for what is told. */
async function convert(
  clickFields: ClickOverrides = {},
  fields: ConversionOverrides = {},
): Promise<ConversionRecord> {
  const db = app.deps.db.manager;
  const click = await buildClick(db, {
    participant,
    at: new Date(Date.now() - hour),
    ipHash: 'k:visitor',
    ...clickFields,
  });
  return buildConversion(db, { participant, clickId: click.id, ...fields });
}

async function hitsOf(conversion: ConversionRecord): Promise<Record<string, unknown>> {
  const [decision] = await query<{ trace: DecisionTrace }>(
    app.deps.db.manager,
    'SELECT trace FROM attribution_decisions WHERE conversion_id = $1',
    [conversion.id],
  );
  const hits = decision?.trace.fraud_rules.filter(({ hit }) => hit) ?? [];
  return Object.fromEntries(hits.map(({ rule, value }) => [rule, value]));
}

const prospect = (email: string) => ({
  prospect: { email, hash: app.deps.vault.contactHash(email) },
});

describe('each rule', () => {
  it('finds nothing wrong with an honest conversion', async () => {
    expect(await hitsOf(await convert({}, prospect('buyer@shop.example')))).toEqual({});
  });

  it('self_referral_email sees through case, tags and dots', async () => {
    const [name = ''] = participant.partnerEmail.toLowerCase().split('@');
    const disguised = `${name.replaceAll('.', '')}+shop@googlemail.com`;
    const conversion = await convert({}, prospect(disguised));
    expect(await hitsOf(conversion)).toEqual({ self_referral_email: true });
    expect(conversion.commission).toMatchObject({ status: 'pending', needsReview: true });
  });

  it('same_ip_as_partner knows where the partner signed in during the last 30 days', async () => {
    await signIn(app.deps, { side: 'partner', id: participant.partnerId });
    const ipHash = app.deps.vault.ipHash('192.0.2.1');
    expect(await hitsOf(await convert({ ipHash }))).toEqual({ same_ip_as_partner: true });
    const whileAKeyRotates = { ipHash: `k9:of-the-new-key ${ipHash}` };
    expect(await hitsOf(await convert(whileAKeyRotates))).toEqual({ same_ip_as_partner: true });
    await execute(
      app.deps.db.manager,
      `UPDATE account_addresses SET last_seen_at = now() - interval '31 days' WHERE account_id = $1`,
      [participant.partnerId],
    );
    expect(await hitsOf(await convert({ ipHash }))).toEqual({});
  });

  it('disposable_email knows throw-away providers', async () => {
    const conversion = await convert({}, prospect('someone@mailinator.com'));
    expect(await hitsOf(conversion)).toEqual({ disposable_email: true });
  });

  it('click_velocity counts the clicks of the hour before from the same address', async () => {
    await set('click_velocity', 'flag', 2);
    const at = new Date(Date.now() - hour);
    const before = (ms: number) => new Date(at.getTime() - ms);
    const from = (ms: number, ipHash = 'k:busy') =>
      buildClick(app.deps.db.manager, { participant, at: before(ms), ipHash });
    await Promise.all([from(1_000), from(hour - 1), from(hour + 1), from(500, 'k:other')]);
    expect(await hitsOf(await convert({ at, ipHash: 'k:busy' }))).toEqual({});
    await from(2_000);
    expect(await hitsOf(await convert({ at, ipHash: 'k:busy' }))).toEqual({ click_velocity: 3 });
  });

  it('too_fast_conversion measures from the click to occurred_at', async () => {
    const at = new Date(Date.now() - hour);
    const after = (ms: number) => ({ occurredAt: new Date(at.getTime() + ms) });
    expect(await hitsOf(await convert({ at }, after(10_000)))).toEqual({});
    expect(await hitsOf(await convert({ at }, after(9_500)))).toEqual({ too_fast_conversion: 9.5 });
  });

  it("duplicate_customer knows another partner's customer, by id or address", async () => {
    const rival = await buildParticipant(app.deps.db.manager, {
      program: await programOfParticipant(),
    });
    await buildConversion(app.deps.db.manager, {
      participant: rival,
      customerId: 'cus_1',
      ...prospect('buyer@shop.example'),
    });
    expect(await hitsOf(await convert({}, { customerId: 'cus_1' }))).toEqual({
      duplicate_customer: true,
    });
    expect(await hitsOf(await convert({}, prospect('buyer@shop.example')))).toEqual({
      duplicate_customer: true,
    });
    expect(await hitsOf(await convert({}, { customerId: 'cus_2' }))).toEqual({});
    expect(await hitsOf(await convert({}, { customerId: 'cus_2' }))).toEqual({});
  });

  it.each([null, '', 'shop-sync/2.1'])('bot_click sees the User-Agent %j', async (userAgent) => {
    expect(await hitsOf(await convert({ userAgent }))).toEqual({ bot_click: true });
  });

  it('refund_rate counts what was refunded of at least five', async () => {
    const { workspaceId, id } = participant;
    for (let made = 0; made < 5; made += 1) await convert();
    await execute(
      app.deps.db.manager,
      `UPDATE conversions SET refunded_amount_cents = 1 WHERE id IN
         (SELECT id FROM conversions WHERE workspace_id = $1 LIMIT 1)`,
      [workspaceId],
    );
    expect(await hitsOf(await convert())).toEqual({ refund_rate: 20 });
    expect(await hitsOf(await convert())).toEqual({});
    await asOwner(
      app.deps.config.databaseUrl,
      `UPDATE conversions SET occurred_at = now() - interval '91 days' WHERE participant_id = $1`,
      [id],
    );
    expect(await hitsOf(await convert())).toEqual({});
  });
});

async function programOfParticipant() {
  const db = app.deps.db.manager;
  return db.findOneByOrFail(Program, { id: participant.programId });
}

describe('actions', () => {
  const botClick = { userAgent: null };

  it('off leaves no trace of a hit', async () => {
    await set('bot_click', 'off');
    expect(await hitsOf(await convert(botClick))).toEqual({});
  });

  it('flag leaves the commission alone and tells of the conversion', async () => {
    const conversion = await convert(botClick);
    expect(conversion).toMatchObject({ attributed: true, commission: { needsReview: false } });
    const [event] = await query<{ object: Record<string, unknown> }>(
      app.deps.db.manager,
      `SELECT object FROM events WHERE object_id = $1 AND type = 'conversion.fraud_detected'`,
      [conversion.id],
    );
    expect(event?.object).toMatchObject({
      id: conversion.id,
      external_transaction_id: conversion.externalTransactionId,
      fraud_flags: [{ rule: 'bot_click', action: 'flag', value: true, threshold: null }],
    });
  });

  it('hold keeps the commission from being approved by itself', async () => {
    await set('bot_click', 'hold');
    const conversion = await convert(botClick);
    expect(conversion.commission).toMatchObject({ status: 'pending', needsReview: true });
  });

  it('reject, the strictest, wins: recorded, not attributed, the id used up', async () => {
    await set('bot_click', 'reject');
    const conversion = await convert(botClick, prospect(participant.partnerEmail));
    expect(conversion).toMatchObject({
      attributed: false,
      reason: 'FRAUD_REJECTED',
      participantId: participant.id,
      commission: null,
    });
    const { body } = await admin.get<Flags>(`${base}/fraud-flags`);
    expect(body.data.map(({ rule }) => rule).sort()).toEqual(['bot_click', 'self_referral_email']);
    expect(body.data[0]).toMatchObject({ conversion: { id: conversion.id }, commission: null });
  });
});

it('flags are listed with conversion and commission, and filtered', async () => {
  const conversion = await convert({ userAgent: null }, prospect(participant.partnerEmail));
  const list = async (search: string) =>
    (await admin.get<Flags>(`${base}/fraud-flags?${search}`)).body;
  expect((await list('')).total).toBe(2);
  expect((await list('limit=1&page=2')).data).toHaveLength(1);
  const [flag] = (await list('rule=bot_click')).data;
  expect(flag).toMatchObject({
    rule: 'bot_click',
    value: true,
    participantId: participant.id,
    conversion: { id: conversion.id, attributed: true },
    commission: { id: conversion.commission?.id, needsReview: true },
  });
  expect((await list(`participantId=${participant.id}`)).total).toBe(2);
  expect((await list(`participantId=${participant.workspaceId}`)).total).toBe(0);
  expect((await list('dateTo=2020-01-01')).total).toBe(0);
  for (const bad of ['rule=vpn', 'participantId=x', 'dateFrom=x']) {
    expect((await admin.get(`${base}/fraud-flags?${bad}`)).status).toBe(400);
  }
});

describe('the back-test', () => {
  interface Result {
    conversions: number;
    byRule: { rule: string; hits: number | null }[];
    byAction: { action: string; count: number }[];
  }
  const today = new Date().toISOString().slice(0, 10);
  const backTest = (fields: Record<string, unknown>) =>
    admin.post<Result>(`${base}/fraud-rules/back-test`, {
      rules: [],
      from: today,
      to: today,
      ...fields,
    });

  it('judges past conversions by what was seen then, and stores nothing', async () => {
    const at = new Date(Date.now() - hour);
    const occurredAt = new Date(at.getTime() + 60_000);
    await convert({ at }, { occurredAt });
    await convert({ at, userAgent: null }, { occurredAt, ...prospect(participant.partnerEmail) });
    const { code } = await buildPromoCode(app.deps.db.manager, participant);
    await buildConversion(app.deps.db.manager, { participant, promoCode: code });

    const { status, body } = await backTest({
      rules: [
        { rule: 'too_fast_conversion', action: 'reject', threshold: 61 },
        { rule: 'bot_click', action: 'hold' },
      ],
    });
    expect(status).toBe(200);
    const hits = Object.fromEntries(body.byRule.map((row) => [row.rule, row.hits]));
    expect(body.conversions).toBe(3);
    expect(hits).toEqual({
      self_referral_email: null,
      same_ip_as_partner: 0,
      disposable_email: null,
      click_velocity: 0,
      too_fast_conversion: 2,
      duplicate_customer: 0,
      bot_click: 1,
      refund_rate: 0,
    });
    expect(body.byAction).toEqual([
      { action: 'flag', count: 0 },
      { action: 'hold', count: 0 },
      { action: 'reject', count: 2 },
    ]);
    const rules = await admin.get<Rules>(`${base}/fraud-rules`);
    expect(rules.body.rules.find(({ rule }) => rule === 'bot_click')?.action).toBe('flag');
  });

  it.each([
    { from: '2026-01-01', to: '2026-01-31' },
    { from: '2026-01-02', to: '2026-01-01' },
    { from: 'x' },
    { from: null },
    { rules: null },
    { rules: [{ rule: 'vpn', action: 'off' }] },
    { rules: [{ rule: 'bot_click', action: 'off', threshold: 3 }] },
  ])('refuses %j', async (fields) => {
    expect((await backTest(fields)).status).toBe(400);
  });

  it('looks at all fields before the key and the programme', async () => {
    const foreign = await buildProgram(app.deps.db.manager);
    const wrong = {
      rules: [
        { rule: 'bot_click', action: 'off' },
        { rule: 'bot_click', action: 'off' },
      ],
      from: '2026-01-02',
      to: '2026-01-01',
    };
    for (const id of [foreign.id, foreign.workspaceId, 'nonsense']) {
      const path = `/api/v1/programs/${id}/fraud-rules`;
      const options = { headers: { 'Idempotency-Key': 'x'.repeat(256) } };
      const tried = await admin.post<Rules>(`${path}/back-test`, wrong, options);
      const fields = tried.body.details.map(({ field }) => field);
      expect([tried.status, fields]).toEqual([400, ['rules[1].rule', 'from']]);
      const set = await admin.put<Rules>(path, { rules: wrong.rules });
      expect([set.status, set.body.details[0]?.field]).toEqual([400, 'rules[1].rule']);
    }
  });

  it('takes 30 whole days', async () => {
    expect((await backTest({ from: '2026-01-01', to: '2026-01-30' })).status).toBe(200);
  });
});
