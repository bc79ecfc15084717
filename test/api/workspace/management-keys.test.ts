import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey, buildMember, signIn } from '../../support/build/accounts';
import { newId } from '../../../entities/ids';
import { buildConversion } from '../../support/build/conversions';
import { callerOf } from '../../support/callers';
import { eventually } from '../../support/eventually';
import { buildCommission } from '../../support/build/commissions';
import { buildClick } from '../../support/build/clicks';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';

const path = '/api/v1/workspace/api-keys';

const app = useApp();

interface Key {
  id: string;
  key: string;
  [field: string]: unknown;
}

async function admin(): Promise<Caller & { workspaceId: string }> {
  const built = await buildMember(app.deps.db.manager, { role: 'admin' });
  const caller = app.client.as((await signIn(app.deps, built)).accessToken);
  return Object.assign(caller, { workspaceId: built.workspaceId });
}

describe('a management key', () => {
  it('is made by an admin, shown once, and works until it is revoked', async () => {
    const caller = await admin();
    const body = { kind: 'management', mode: 'live', role: 'member', name: 'Back office' };
    const made = await caller.post<Key>(path, body);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ ...body, programId: null });
    expect(made.body.key).toMatch(/^mk_live_[0-9A-Za-z]{32}$/);
    const { key, ...shown } = made.body;
    expect((await caller.get<{ data: Key[] }>(path)).body.data).toEqual([shown]);

    const byKey = app.client.as(key);
    expect((await byKey.get('/api/v1/workspace')).status).toBe(200);
    expect((await byKey.get('/api/v1/workspace', { headers: { 'X-Mode': 'live' } })).status).toBe(
      200,
    );
    const nonsense = await byKey.get('/api/v1/workspace', { headers: { 'X-Mode': 'prod' } });
    expect([nonsense.status, nonsense.body['code']]).toEqual([403, 'MODE_MISMATCH']);
    await caller.post(`${path}/${made.body.id}/revoke`);
    await eventually(async () => {
      const { status } = await byKey.get('/api/v1/workspace/inbox');
      return status === 401 ? true : undefined;
    });
  });

  it.each([
    [{ kind: 'management', mode: 'test' }, 'role'],
    [{ kind: 'management', mode: 'test', role: 'owner' }, 'role'],
    [{ kind: 'management', mode: 'test', role: 'admin', programId: 'x' }, 'programId'],
    [{ kind: 'secret', mode: 'test', role: 'admin' }, 'role'],
    [
      { kind: 'public', mode: 'test', programId: '019a0b1c-2d3e-7f40-8a51-000000000002' },
      'programId',
    ],
  ])('is refused as %j', async (body, field) => {
    const answer = await (await admin()).post<{ details: { field: string }[] }>(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.details.map((problem) => problem.field)).toEqual([field]);
  });

  it('is bound to a programme of its workspace and mode only', async () => {
    const caller = await admin();
    const { manager } = app.deps.db;
    const own = await buildProgram(manager, { workspaceId: caller.workspaceId, mode: 'test' });
    const foreign = await buildProgram(manager, { mode: 'test' });
    const bind = async (mode: string, programId: string) => {
      const body = { kind: 'management', mode, role: 'admin', programId };
      const { status, body: answer } = await caller.post<Key>(path, body);
      return [status, answer['code'] ?? answer['programId']];
    };
    expect(await bind('test', own.id)).toEqual([201, own.id]);
    expect(await bind('live', own.id)).toEqual([404, 'PROGRAM_NOT_FOUND']);
    expect(await bind('test', foreign.id)).toEqual([403, 'FORBIDDEN']);
  });

  it('may exist 20 times in a mode', async () => {
    const caller = await admin();
    const body = { kind: 'management', mode: 'test', role: 'viewer' };
    const answers = await Promise.all(Array.from({ length: 22 }, () => caller.post(path, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ body: { code } }) => code))).toEqual(new Set(['API_KEY_LIMIT']));
  });

  it('decides in its own name, which history and audit tell', async () => {
    const caller = await admin();
    const { manager } = app.deps.db;
    const program = await buildProgram(manager, { workspaceId: caller.workspaceId, mode: 'live' });
    const commission = await buildCommission(manager, { program });
    const body = { kind: 'management', mode: 'live', role: 'admin' };
    const { key, id } = (await caller.post<Key>(path, body)).body;
    const byKey = app.client.as(key);

    const at = `/api/v1/programs/${program.id}/commissions/${commission.id}`;
    const reject = await byKey.patch(`${at}/reject`, { reason: 'A test' });
    expect(reject.status).toBe(200);
    const { history } = (await byKey.get<{ history: { actor: unknown }[] }>(at)).body;
    expect(history.at(-1)).toMatchObject({ actor: { type: 'api_key', id } });
    await byKey.post(`/api/v1/programs/${program.id}/archive`);
    const log = await caller.get<{ data: { actor: unknown }[] }>('/api/v1/workspace/audit-log');
    expect(log.body.data[0]).toMatchObject({ actor: { type: 'api_key', id } });
  });

  it.each(['member', 'viewer'] as const)(
    'as a %s does with sales what a person of the role does: none is reported in live mode',
    async (role) => {
      const caller = await admin();
      const { manager } = app.deps.db;
      const { workspaceId } = caller;
      for (const mode of ['test', 'live'] as const) {
        const program = await buildProgram(manager, { workspaceId, mode });
        const participant = await buildParticipant(manager, { program });
        const { code } = await buildPromoCode(manager, participant);
        const made = await buildApiKey(manager, { kind: 'management', workspaceId, mode, role });
        const person = await buildMember(manager, { workspaceId, role });
        const bearers = [app.client.as(made.key), await callerOf(app, person, mode)];
        const may = (status: number): number => (role === 'member' ? status : 403);
        for (const bearer of bearers) {
          const { id } = await buildConversion(manager, { participant });
          const at = `/api/v1/conversions/${id}`;
          const sale = {
            external_transaction_id: newId(),
            event_type: 'purchase',
            amount_cents: 100,
            currency: 'usd',
            promo_code: code,
          };
          const answers = await Promise.all([
            bearer.get(at),
            bearer.get(`${at}/refunds`),
            bearer.get(`/api/v1/attribution/decisions/${id}`),
            bearer.get('/api/v1/customers'),
            bearer.post(`${at}/refunds`, { external_refund_id: 'r1', amount_cents: 100 }),
            // Its own id: beside the sale it would be the same payment twice.
            bearer.post('/api/v1/attribution/dry-run', {
              ...sale,
              external_transaction_id: newId(),
            }),
            bearer.post('/api/v1/customers', { customer_id: newId(), promo_code: code }),
            bearer.post('/api/v1/conversions', sale),
          ]);
          const reported = mode === 'test' ? may(201) : 403;
          expect(answers.map(({ status }) => status)).toEqual([
            ...[200, 200, 200, 200],
            ...[may(201), may(200), may(201), reported],
          ]);
        }
      }
    },
  );

  it('reports sales in test mode only, and clicks of visitors whom it names', async () => {
    const caller = await admin();
    const { manager } = app.deps.db;
    for (const mode of ['test', 'live'] as const) {
      const program = await buildProgram(manager, { workspaceId: caller.workspaceId, mode });
      const participant = await buildParticipant(manager, { program });
      const click = await buildClick(manager, { participant });
      const made = await caller.post<Key>(path, { kind: 'management', mode, role: 'member' });
      const byKey = app.client.as(made.body.key);
      const sale = { click_id: click.id, external_transaction_id: mode, amount_cents: 100 };
      const answer = await byKey.post('/api/v1/conversions', {
        ...sale,
        currency: 'usd',
        event_type: 'purchase',
      });
      expect([mode, answer.status]).toEqual([mode, mode === 'test' ? 201 : 403]);
      const visit = { ref: participant.referralCode, user_agent: 'Mozilla/5.0', ip: '192.0.2.7' };
      expect((await byKey.post('/v1/clicks', visit)).status).toBe(201);
      expect((await byKey.post('/v1/clicks', { ref: participant.referralCode })).status).toBe(401);
    }
  });
});
