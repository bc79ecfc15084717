import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildConversion } from '../../support/build/conversions';
import { buildProgram, buildPromoCode, type BuiltParticipant } from '../../support/build/programs';
import {
  buildWatchedProgram,
  type Rules,
  type WatchedProgram,
} from '../../support/shops/watched-program';

const app = useApp();
let participant: BuiltParticipant;
let admin: Caller;
let base: string;
let convert: WatchedProgram['convert'];
let prospect: WatchedProgram['prospect'];

beforeEach(async () => {
  ({ participant, admin, base, convert, prospect } = await buildWatchedProgram(app));
});

const hour = 3_600_000;

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

  it('counts what the rules that need an address saw then, though it is not kept', async () => {
    await convert({}, prospect(participant.partnerEmail));
    const { body } = await backTest({ rules: [{ rule: 'self_referral_email', action: 'hold' }] });
    expect(body.byRule.find(({ rule }) => rule === 'self_referral_email')?.hits).toBeNull();
    expect(body.byAction).toContainEqual({ action: 'hold', count: 1 });
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

  it('checks all fields before the key and the programme', async () => {
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
