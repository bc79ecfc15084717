import { Program } from '../../../entities/tables/programs/program.entity';
import { fraudRules } from '../../../entities/rules/fraud/fraud';
import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildProgram, type BuiltParticipant } from '../../support/build/programs';
import {
  buildWatchedProgram,
  type Rules,
  type WatchedProgram,
} from '../../support/shops/watched-program';
import { update } from '../../../entities/database/update';

const app = useApp();
let participant: BuiltParticipant;
let admin: Caller;
let base: string;
let put: WatchedProgram['put'];
let set: WatchedProgram['set'];

beforeEach(async () => {
  ({ participant, admin, base, put, set } = await buildWatchedProgram(app));
});

async function callerOf(role: 'viewer' | 'member', workspaceId: string): Promise<Caller> {
  const member = await buildMember(app.deps.db.manager, { workspaceId, role });
  return app.client.as((await signIn(app.deps, member)).accessToken, 'live');
}

describe('the rules of a programme (analytics.md, Fraud rules)', () => {
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
    await update(app.deps.db.manager, Program, {
      where: { id: participant.programId },
      set: { status: 'archived' },
    });
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
