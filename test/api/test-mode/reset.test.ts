import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { countFrom, query, type Db } from '../../../entities/database/sql';
import { workflowIds } from '../../../runtime/temporal/messages';
import { startTestApp, type TestApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildApiKey, buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';
import { buildCommission } from '../../support/build/commissions';
import { buildConversion } from '../../support/build/conversions';
import { buildParticipant, buildProgram, buildPromoCode } from '../../support/build/programs';
import { startResetWorker } from '../../support/workers/reset';
import { danglingRows, queueReset, rowCounts, runReset } from '../../support/stored/test-data';

const path = '/api/v1/workspace/test-data';

let app: TestApp;
let db: Db;
beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  app = await startTestApp({ LOG_LEVEL: 'error' });
  db = app.deps.db.manager;
}, 60_000);
afterAll(() => app.close());

async function memberOf(workspaceId: string, role: 'viewer' | 'member' | 'admin' = 'admin') {
  const account = await buildMember(db, { workspaceId, role });
  return app.client.as((await signIn(app.deps, account)).accessToken, 'test');
}

const testProgram = (): Promise<Program> => buildProgram(db, { mode: 'test' });
interface Reset {
  resetId: string | null;
  status: string;
  deleted: Record<string, number>;
}

describe('DELETE test-data (erasure.md, Reset of test data)', () => {
  it('deletes within the answer, frees codes and transaction ids, and ignores X-Mode', async () => {
    const worker = await startResetWorker(app.deps);
    const program = await testProgram();
    const { workspaceId } = program;
    const participant = await buildParticipant(db, { program, referralCode: 'first-code' });
    const { code } = await buildPromoCode(db, participant, { code: 'SUMMER' });
    const secret = await buildApiKey(db, { workspaceId, mode: 'test', kind: 'secret' });
    const report = { external_transaction_id: 'order-1', event_type: 'purchase', promo_code: code };
    const shop = app.client.as(secret.key);
    expect((await shop.post('/api/v1/conversions', report)).body['attributed']).toBe(true);

    const admin = await memberOf(workspaceId);
    const nonsense = { headers: { 'X-Mode': 'nonsense' } };
    const { status, body } = await admin.delete<Reset>(path, nonsense);
    expect([status, body.status]).toEqual([200, 'completed']);
    expect(body.deleted).toMatchObject({
      programs: 1,
      participants: 1,
      promo_codes: 1,
      conversions: 1,
    });
    expect(await rowCounts(db, { workspaceId, mode: 'test' })).toEqual({});

    const last = await admin.get<Reset>(`${path}/reset`, nonsense);
    expect(last.body).toMatchObject({ status: 'completed', deleted: body.deleted });
    expect((await admin.get(`/api/v1/programs/${program.id}`)).status).toBe(404);

    const again = await buildProgram(db, { workspaceId, mode: 'test' });
    const second = await buildParticipant(db, { program: again, referralCode: 'first-code' });
    await buildPromoCode(db, second, { code: 'SUMMER' });
    const repeat = await shop.post('/api/v1/conversions', report);
    expect([repeat.status, repeat.body['attributed']]).toEqual([201, true]);

    // The workflow of the first one may be about to end: it takes the second one on.
    expect((await admin.delete<Reset>(path)).body.deleted).toMatchObject({ conversions: 1 });
    expect((await admin.delete<Reset>(path)).body).toEqual({ status: 'completed', deleted: {} });
    await worker.stop();
  }, 60_000);

  it('is 202 when it takes longer, 409 meanwhile, and goes on when a worker is there', async () => {
    const { workspaceId } = await testProgram();
    const admin = await memberOf(workspaceId);
    expect((await admin.get<Reset>(`${path}/reset`)).body).toEqual({
      resetId: null,
      status: 'none',
      deleted: {},
      startedAt: null,
      finishedAt: null,
    });
    const started = admin.delete<Reset>(path);
    const isOpen = () => countFrom(db, 'test_data_resets WHERE workspace_id = $1', [workspaceId]);
    while ((await isOpen()) === 0) await query(db, 'SELECT 1');
    const second = await admin.delete(path);
    expect([second.status, second.body['code']]).toEqual([409, 'RESET_IN_PROGRESS']);

    const { status, body } = await started;
    expect([status, body.status]).toEqual([202, 'queued']);
    const queued = await admin.get<Reset>(`${path}/reset`);
    expect(queued.body).toMatchObject({ resetId: body.resetId, status: 'queued' });

    const worker = await startResetWorker(app.deps);
    const { workflow } = app.deps.temporal.client;
    await workflow.getHandle(workflowIds.testReset(workspaceId)).result();
    expect((await admin.get<Reset>(`${path}/reset`)).body).toMatchObject({
      resetId: body.resetId,
      status: 'completed',
      deleted: { programs: 1 },
    });
    await worker.stop();
  }, 60_000);

  it('needs an admin', async () => {
    const { workspaceId } = await testProgram();
    const member = await memberOf(workspaceId, 'member');
    const { status, body } = await member.delete(path);
    expect([status, body['code']]).toEqual([403, 'FORBIDDEN']);
    expect(await countFrom(db, 'programs WHERE workspace_id = $1', [workspaceId])).toBe(1);
  });

  it('is 503 without Temporal, and nothing is done', async () => {
    const away = await startTestApp({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
    const program = await buildProgram(away.deps.db.manager, { mode: 'test' });
    const account = await buildMember(away.deps.db.manager, {
      workspaceId: program.workspaceId,
      role: 'owner',
    });
    const { accessToken } = await signIn(away.deps, account);
    const owner = away.client.as(accessToken);
    const { status, headers } = await owner.delete(path);
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([503, true]);
    expect((await owner.get<Reset>(`${path}/reset`)).body.status).toBe('none');
    expect(await countFrom(away.deps.db.manager, 'programs')).toBe(1);
    await away.close();
  }, 30_000);
});

describe('writes while a reset runs', () => {
  it('are whole or gone, and never answered 5xx', async () => {
    const { workspaceId } = await testProgram();
    const programs = await Promise.all(
      [1, 2, 3].map(() => buildProgram(db, { workspaceId, mode: 'test', holdDays: 0 })),
    );
    const participants = await Promise.all(
      programs.flatMap((program) => [1, 2, 3, 4].map(() => buildParticipant(db, { program }))),
    );
    const clicks = await Promise.all(
      participants.map((participant) => buildClick(db, { participant })),
    );
    const codes = await Promise.all(participants.map((one) => buildPromoCode(db, one)));
    const conversions = await Promise.all(
      participants.map((participant) => buildConversion(db, { participant })),
    );
    const commissions = await Promise.all(
      participants.map((participant) => buildCommission(db, { participant, status: 'approved' })),
    );
    const partner = await buildPartner(db);
    const callers = {
      admin: await memberOf(workspaceId),
      partner: app.client.as((await signIn(app.deps, partner)).accessToken, 'test'),
      secret: app.client.as(
        (await buildApiKey(db, { workspaceId, mode: 'test', kind: 'secret' })).key,
      ),
      public: app.client.as(
        (await buildApiKey(db, { workspaceId, mode: 'test', kind: 'public' })).key,
      ),
    };

    const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;
    let orders = 0;
    const report = (signal: object) => {
      orders += 1;
      return callers.secret.post('/api/v1/conversions', {
        external_transaction_id: `busy-${orders}`,
        event_type: 'purchase',
        amount_cents: 5_000,
        currency: 'usd',
        ...signal,
      });
    };
    const program = (n: number) => `/api/v1/programs/${at(programs, n).id}`;
    const calls: ((n: number) => ReturnType<Caller['get']>)[] = [
      (n) => callers.public.post('/v1/clicks', { ref: at(participants, n).referralCode }),
      (n) => report({ click_id: at(clicks, n).id }),
      (n) => report({ promo_code: at(codes, n).code }),
      (n) =>
        callers.secret.post(`/api/v1/conversions/${at(conversions, n).id}/refunds`, {
          external_refund_id: `refund-${n}`,
          amount_cents: 1,
        }),
      (n) =>
        callers.admin.patch(`${program(n)}/commissions/${at(commissions, n).id}/reject`, {
          reason: 'busy',
        }),
      (n) => callers.admin.post('/api/v1/payouts', { programId: at(programs, n).id }),
      (n) =>
        callers.admin.post(`${program(n)}/partners/${at(participants, n).id}/promo-codes`, {
          code: `BUSY-${n}`,
        }),
      (n) => callers.admin.post(`${program(n)}/invites`, { email: `busy-${n}@example.com` }),
      (n) => callers.partner.post(`/api/v1/partner${program(n).slice(7)}/applications`, {}),
      (n) =>
        callers.partner.post(`/api/v1/partner${program(n).slice(7)}/links`, {
          targetUrl: 'https://shop.example/x',
        }),
      (n) => callers.admin.put(`${program(n)}/fraud-rules`, { rules: [] }),
      () => callers.admin.get('/api/v1/commissions'),
    ];

    const statuses = new Map<number, number>();
    let done = false;
    const writer = async (first: number): Promise<void> => {
      for (let n = first; !done; n += 4) {
        for (const call of calls) {
          const { status } = await call(n);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
    };
    const writers = Array.from({ length: 4 }, (_, first) => writer(first));
    while ((statuses.get(201) ?? 0) < 30) await query(db, 'SELECT 1');
    await queueReset(app.deps, workspaceId);
    const { deleted } = await runReset(app.deps, workspaceId);
    const dangling = await danglingRows(db);
    done = true;
    await Promise.all(writers);

    expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
    expect(statuses.get(404)).toBeGreaterThan(0);
    expect(deleted['programs']).toBe(4);
    expect(dangling).toEqual({});
    expect(await danglingRows(db)).toEqual({});
    expect(await countFrom(db, 'programs WHERE workspace_id = $1', [workspaceId])).toBe(0);
    expect(await countFrom(db, 'clicks WHERE workspace_id = $1', [workspaceId])).toBe(0);
  }, 60_000);
});
