import type { CommissionRecord } from '../../../activities/commissions/records';
import { newId } from '../../../entities/ids';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { execute, type Db } from '../../../entities/database/sql';
import type { ApiResponse, Caller } from '../../support/api-client';
import { startTestApp, type TestApp } from '../../support/app';
import { buildMember, signIn, type BuiltMember } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';

let app: TestApp;
let db: Db;
let owner: BuiltMember;
let api: Caller;

const day = 86_400_000;

async function callerOf(member: BuiltMember, mode: 'test' | 'live' = 'live'): Promise<Caller> {
  const { accessToken } = await signIn(app.deps, member);
  return app.client.as(accessToken, mode);
}

beforeAll(async () => {
  app = await startTestApp();
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(owner);
});
afterAll(() => app.close());

interface Row {
  id: string;
  status: string;
  partnerName: string;
  amountCents: number;
  [field: string]: unknown;
}
interface PageBody {
  data: Row[];
  total: number;
  page: number;
  limit: number;
}

const pathOf = (commission: { programId: string }, rest = ''): string =>
  `/api/v1/programs/${commission.programId}/commissions${rest}`;
const list = (path: string) => api.get<PageBody>(path);
const idsOf = (response: ApiResponse<PageBody>): string[] =>
  response.body.data.map((row) => row.id);

describe('the list of commissions', () => {
  let program: Program;
  let anna: Participant;
  let bert: Participant;
  let all: CommissionRecord[];

  beforeAll(async () => {
    const { workspaceId } = owner;
    program = await buildProgram(db, { workspaceId, acceptedCurrencies: ['eur'] });
    anna = await buildParticipant(db, { program, partnerName: 'Anna 50% Off' });
    bert = await buildParticipant(db, { program, partnerName: 'bert_back\\slash' });
    const start = Date.UTC(2026, 0, 10);
    const at = (days: number) => new Date(start + days * day);
    const build = (participant: Participant, days: number, more = {}) =>
      buildCommission(db, { program, participant, createdAt: at(days), ...more });
    all = [
      await build(anna, 0, { externalTransactionId: 'Order-A_1', conversionAmountCents: 5_000 }),
      await build(anna, 1, { status: 'approved', conversionAmountCents: 1_000 }),
      await build(bert, 2, { status: 'rejected', conversionAmountCents: 9_000 }),
      await build(bert, 3, { reviewReasons: ['FRAUD_SUSPECTED'], conversionCurrency: 'eur' }),
      await build(bert, 4, {
        terms: { type: 'flat', amountCents: 700, rateBps: null, basis: null },
        conversionAmountCents: 1_000,
      }),
    ];
  });

  it('is newest first and has every field of the record', async () => {
    const page = await list(pathOf({ programId: program.id }));
    expect(page.body).toMatchObject({ total: 5, page: 1, limit: 20 });
    expect(idsOf(page)).toEqual(all.map((one) => one.id).reverse());
    expect(page.body.data[4]).toEqual({
      id: all[0]?.id,
      programId: program.id,
      programName: 'Demo shop',
      participantId: anna.id,
      partnerName: 'Anna 50% Off',
      conversionId: all[0]?.conversionId,
      externalTransactionId: 'Order-A_1',
      status: 'pending',
      commissionType: 'percentage',
      amountCents: 1_000,
      originalAmountCents: 1_000,
      refundedAmountCents: 0,
      currency: 'usd',
      conversionAmountCents: 5_000,
      feeCents: null,
      terms: {
        rule: null,
        type: 'percentage',
        rateBps: 2_000,
        amountCents: null,
        basis: 'gross',
        recurring: false,
        recurringMonths: null,
        holdDays: 30,
        autoApprove: true,
      },
      needsReview: false,
      reviewReasons: [],
      holdUntil: '2026-02-09T00:00:00.000Z',
      holdActive: false,
      rejectionReason: null,
      overrideReason: null,
      decidedBy: null,
      approvedAt: null,
      rejectedAt: null,
      paidAt: null,
      refundedAt: null,
      payoutId: null,
      createdAt: '2026-01-10T00:00:00.000Z',
      updatedAt: '2026-01-10T00:00:00.000Z',
    });
  });

  it.each<[string, number[]]>([
    ['status=approved', [1]],
    ['status=refunded', []],
    ['needsReview=true', [3]],
    ['needsReview=false', [4, 2, 1, 0]],
    ['currency=EUR', [3]],
    ['search=order-a_', [0]],
    ['search=order-a%25', []],
    ['search=50%25%20off', [1, 0]],
    ['search=%5C', [4, 3, 2]],
    ['search=_BACK', [4, 3, 2]],
    ['dateFrom=2026-01-11&dateTo=2026-01-12', [2, 1]],
    ['dateFrom=2026-01-11T00:00:00Z&dateTo=2026-01-12T00:00:00Z', [1]],
    ['status=pending&search=bert&needsReview=false', [4]],
    ['dateTo=2026-01-09', []],
    ['unknown=1&status=rejected', [2]],
  ])('filters by %s, in statistics too', async (filter, expected) => {
    const page = await list(pathOf({ programId: program.id }, `?${filter}`));
    expect(idsOf(page)).toEqual(expected.map((n) => all[n]?.id));
    expect(page.body.total).toBe(expected.length);
    const stats = await api.get(pathOf({ programId: program.id }, `/stats?${filter}`));
    expect(stats.body['count']).toBe(expected.length);
    const csv = await api.get(pathOf({ programId: program.id }, `/export?${filter}`));
    expect(csv.text.trim().split('\r\n')).toHaveLength(expected.length + 1);
  });

  it('finds a transaction among more than can be named', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId });
    const found = await buildCommission(db, { program, externalTransactionId: 'bulk-of-all' });
    await execute(
      db,
      `INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
              amount_cents, occurred_at, attributed, reason, explanation, program_id, created_at)
       SELECT gen_random_uuid(), $1, 'live', 'bulk-' || n, 'api', 'purchase', 0, now(), false,
              'SELF_REFERRAL', '', $2, now() FROM generate_series(1, 10001) AS n`,
      [owner.workspaceId, program.id],
    );
    for (const search of ['BULK-', 'k-of-a']) {
      const page = await list(pathOf({ programId: program.id }, `?search=${search}`));
      expect(idsOf(page)).toEqual([found.id]);
      expect(page.body.total).toBe(1);
    }
  });

  it('filters by participant', async () => {
    const page = await list(pathOf({ programId: program.id }, `?participantId=${bert.id}`));
    expect(idsOf(page)).toEqual([4, 3, 2].map((n) => all[n]?.id));
  });

  it.each<[string, number[]]>([
    ['createdAt', [0, 1, 2, 3, 4]],
    ['amountCents', [1, 4, 0, 2, 3]],
    ['status', [1, 0, 3, 4, 2]],
    ['commissionType', [4, 0, 1, 2, 3]],
    ['needsReview', [0, 1, 2, 4, 3]],
    ['partnerName', [0, 1, 2, 3, 4]],
  ])('sorts by %s both ways, page by page', async (sortBy, expected) => {
    const ids = expected.map((n) => all[n]?.id ?? '');
    const query = `?sortBy=${sortBy}&limit=2&sortOrder=`;
    for (const [order, sorted] of [['asc', ids] as const, ['desc', [...ids].reverse()] as const]) {
      const pages = [1, 2, 3, 4].map((page) =>
        list(pathOf({ programId: program.id }, `${query}${order}&page=${page}`)),
      );
      expect((await Promise.all(pages)).flatMap(idsOf)).toEqual(sorted);
    }
  });

  it.each([
    'sortBy=name',
    'sortOrder=up',
    'status=open',
    'needsReview=yes',
    'dateFrom=yesterday',
    'dateTo=2026-02-30',
    'limit=101',
    'limit=0',
    'page=0',
    'currency=euros',
    'participantId=7',
  ])('refuses %s', async (filter) => {
    const response = await list(pathOf({ programId: program.id }, `?${filter}`));
    expect(response.status).toBe(400);
  });

  it('sums by status and currency', async () => {
    const stats = await api.get(pathOf({ programId: program.id }, '/stats'));
    expect(stats.body).toEqual({
      count: 5,
      needsReviewCount: 1,
      byStatus: {
        pending: {
          count: 3,
          amounts: [
            { currency: 'eur', amountCents: 2_000 },
            { currency: 'usd', amountCents: 1_700 },
          ],
        },
        approved: { count: 1, amounts: [{ currency: 'usd', amountCents: 200 }] },
        rejected: { count: 1, amounts: [{ currency: 'usd', amountCents: 1_800 }] },
        paid: { count: 0, amounts: [] },
        refunded: { count: 0, amounts: [] },
      },
      totals: [
        { currency: 'eur', amountCents: 2_000 },
        { currency: 'usd', amountCents: 3_700 },
      ],
    });
  });

  it('covers every programme of the mode, or the one that is named', async () => {
    const second = await buildProgram(db, { workspaceId: owner.workspaceId });
    const other = await buildCommission(db, { program: second });
    const inTest = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
    const hidden = await buildCommission(db, { program: inTest });
    const everything = await list('/api/v1/commissions?limit=100');
    expect(idsOf(everything)).toEqual(
      expect.arrayContaining([...all.map((one) => one.id), other.id]),
    );
    expect(idsOf(everything)).not.toContain(hidden.id);
    for (const sortBy of ['amountCents', 'partnerName', 'status', 'createdAt']) {
      const sorted = await list(`/api/v1/commissions?limit=100&sortBy=${sortBy}&sortOrder=asc`);
      expect(sorted.body.total).toBe(everything.body.total);
      expect(new Set(idsOf(sorted))).toEqual(new Set(idsOf(everything)));
    }
    const one = await list(`/api/v1/commissions?programId=${second.id}`);
    expect(idsOf(one)).toEqual([other.id]);
    const stats = await api.get(`/api/v1/commissions/stats?programId=${second.id}`);
    expect(stats.body['count']).toBe(1);
  });

  it('is refused for foreign, unknown and other-mode programmes', async () => {
    const foreign = await buildProgram(db);
    const inTest = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
    for (const [id, status] of [
      [foreign.id, 403],
      [inTest.id, 404],
      [newId(), 404],
    ] as const) {
      for (const rest of ['', '/stats', '/export']) {
        expect((await api.get(pathOf({ programId: id }, rest))).status).toBe(status);
        expect((await api.get(`/api/v1/commissions${rest}?programId=${id}`)).status).toBe(status);
      }
    }
    expect((await api.get('/api/v1/commissions?programId=nonsense')).status).toBe(400);
    expect((await api.get('/api/v1/programs/nonsense/commissions')).status).toBe(404);
  });

  it('is empty for a workspace without programmes', async () => {
    const lonely = await callerOf(await buildMember(db));
    expect((await lonely.get('/api/v1/commissions')).body).toMatchObject({ data: [], total: 0 });
    expect((await lonely.get('/api/v1/commissions/stats')).body).toMatchObject({ count: 0 });
    expect((await lonely.get('/api/v1/commissions/export')).text.split('\r\n')).toHaveLength(2);
  });

  it('exports cells that no spreadsheet takes for a formula', async () => {
    const { workspaceId } = owner;
    const own = await buildProgram(db, { workspaceId, name: 'A "quoted", name' });
    const participant = await buildParticipant(db, { program: own, partnerName: '=1+1' });
    const commission = await buildCommission(db, {
      program: own,
      participant,
      externalTransactionId: '@SUM(A1)\nline',
      createdAt: new Date('2026-01-31T09:30:00.000Z'),
    });
    const csv = await api.get(pathOf({ programId: own.id }, '/export?page=9&limit=1'));
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment/);
    expect(csv.text).toBe(
      'id,createdAt,status,programName,partnerName,commissionType,amountCents,currency,' +
        'conversionAmountCents,externalTransactionId,needsReview,reviewReasons,holdUntil,' +
        'approvedAt,rejectedAt,paidAt,refundedAt,rejectionReason\r\n' +
        `${commission.id},2026-01-31T09:30:00.000Z,pending,"A ""quoted"", name",'=1+1,percentage,` +
        `2000,usd,10000,"'@SUM(A1)\nline",false,,2026-03-02T09:30:00.000Z,,,,,\r\n`,
    );
  });
});

describe('a commission', () => {
  it('shows its history and ledger', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId });
    const commission = await buildCommission(db, { program, status: 'rejected' });
    const detail = await api.get(pathOf(commission, `/${commission.id}`));
    expect(detail.body).toMatchObject({
      id: commission.id,
      history: [
        { from: null, to: 'pending', trigger: 'created', actor: { type: 'system', id: null } },
        { from: 'pending', to: 'rejected', trigger: 'reject' },
      ],
      ledger: [
        { type: 'accrual', amountCents: 2_000, currency: 'usd' },
        { type: 'reversal', amountCents: -2_000, currency: 'usd' },
      ],
    });
  });

  it('is not found under another programme, or by what is no id', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId });
    const other = await buildProgram(db, { workspaceId: owner.workspaceId });
    const commission = await buildCommission(db, { program });
    for (const id of [commission.id, newId(), 'nonsense']) {
      const response = await api.get(pathOf({ programId: other.id }, `/${id}`));
      expect([response.status, response.body['code']]).toEqual([404, 'COMMISSION_NOT_FOUND']);
    }
  });
});

describe('decisions', () => {
  const decide = (commission: CommissionRecord, deed: string, body?: object) =>
    api.patch(pathOf(commission, `/${commission.id}/${deed}`), body);

  const build = async (overrides: Parameters<typeof buildCommission>[1] = {}) =>
    buildCommission(db, {
      program: await buildProgram(db, { workspaceId: owner.workspaceId }),
      ...overrides,
    });
  const ended = { createdAt: new Date(Date.now() - 40 * day) };

  it('approve answers the record', async () => {
    const commission = await build(ended);
    const response = await decide(commission, 'approve');
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({
      id: commission.id,
      status: 'approved',
      decidedBy: { type: 'member', id: owner.id },
    });
    const again = await decide(commission, 'approve');
    expect([again.status, again.body['code']]).toEqual([409, 'COMMISSION_NOT_PENDING']);
  });

  it('approve refuses an active hold and a body', async () => {
    const commission = await build();
    const response = await decide(commission, 'approve');
    expect([response.status, response.body['code']]).toEqual([409, 'COMMISSION_HOLD_ACTIVE']);
    expect((await decide(commission, 'approve', { reason: 'x' })).status).toBe(400);
  });

  it('approve-override wants a reason of 1 to 500 characters', async () => {
    const commission = await build();
    for (const body of [
      undefined,
      {},
      { reason: '' },
      { reason: 'x'.repeat(501) },
      { reason: 5 },
    ]) {
      expect((await decide(commission, 'approve-override', body)).status).toBe(400);
    }
    const response = await decide(commission, 'approve-override', { reason: 'x'.repeat(500) });
    expect(response.body).toMatchObject({ status: 'approved', overrideReason: 'x'.repeat(500) });
  });

  it('approve-override has its refusals in order', async () => {
    const reason = { reason: 'please' };
    const flagged = await build({ reviewReasons: ['FRAUD_SUSPECTED'] });
    const late = await build(ended);
    const done = await build({ status: 'rejected' });
    const codes = await Promise.all(
      [flagged, late, done].map(
        async (one) => (await decide(one, 'approve-override', reason)).body['code'],
      ),
    );
    expect(codes).toEqual([
      'COMMISSION_NEEDS_REVIEW',
      'COMMISSION_HOLD_NOT_ACTIVE',
      'COMMISSION_NOT_PENDING',
    ]);
  });

  it('reject takes pending and approved ones, not final ones or those in a payout', async () => {
    const reason = { reason: 'The order was cancelled.' };
    const pending = await build();
    expect((await decide(pending, 'reject', reason)).body).toMatchObject({
      status: 'rejected',
      rejectionReason: reason.reason,
    });
    const again = await decide(pending, 'reject', reason);
    expect([again.status, again.body['code']]).toEqual([409, 'COMMISSION_TERMINAL']);

    const taken = await build({ status: 'approved' });
    await buildPayout(db, [taken]);
    const refused = await decide(taken, 'reject', reason);
    expect([refused.status, refused.body['code']]).toEqual([409, 'COMMISSION_IN_PAYOUT']);
    expect((await decide(taken, 'reject')).status).toBe(400);
  });

  it('of an erased partner can only be rejected', async () => {
    const commission = await build(ended);
    await db.update(Participant, { id: commission.participantId }, { erasedAt: new Date() });
    const response = await decide(commission, 'approve');
    expect([response.status, response.body['code']]).toEqual([409, 'PARTICIPANT_ERASED']);
    expect((await decide(commission, 'reject', { reason: 'gone' })).status).toBe(200);
  });

  it('need a member, and look nothing up for a viewer', async () => {
    const commission = await build(ended);
    const viewer = await callerOf(
      await buildMember(db, { workspaceId: owner.workspaceId, role: 'viewer' }),
    );
    for (const path of [
      pathOf(commission, `/${commission.id}/approve`),
      pathOf({ programId: newId() }, '/bulk-approve'),
    ]) {
      expect((await viewer.patch(path)).status).toBe(403);
    }
    expect((await viewer.get(pathOf(commission))).status).toBe(200);
  });

  it('elapse-hold ends the hold in test mode only', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
    const commission = await buildCommission(db, { program });
    const path = pathOf(commission, `/${commission.id}/elapse-hold`);
    const inTest = await callerOf(owner, 'test');
    const response = await inTest.post(path);
    expect(response.status).toBe(200);
    expect(response.body).toMatchObject({ status: 'approved', holdActive: false });
    expect((await inTest.post(path)).body['code']).toBe('COMMISSION_NOT_PENDING');

    const flagged = await buildCommission(db, { program, reviewReasons: ['FRAUD_SUSPECTED'] });
    const flaggedPath = pathOf(flagged, `/${flagged.id}/elapse-hold`);
    expect((await inTest.post(flaggedPath)).body).toMatchObject({
      status: 'pending',
      holdActive: false,
      needsReview: true,
    });
    expect((await inTest.post(flaggedPath)).body['code']).toBe('COMMISSION_HOLD_NOT_ACTIVE');

    const live = await build();
    const refused = await api.post(pathOf(live, `/${live.id}/elapse-hold`));
    expect([refused.status, refused.body['code']]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('bulk decisions', () => {
  it('answer 200, 207 and 422', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId });
    const build = (more = {}) =>
      buildCommission(db, { program, createdAt: new Date(Date.now() - 40 * day), ...more });
    const [one, two, three] = [await build(), await build(), await build()];
    const approve = (commissionIds: unknown) =>
      api.patch(pathOf(one, '/bulk-approve'), { commissionIds });

    const all = await approve([two.id, one.id]);
    expect(all.status).toBe(200);
    expect(all.body).toEqual({
      succeeded: 2,
      failed: 0,
      results: [
        { commissionId: two.id, ok: true, status: 'approved' },
        { commissionId: one.id, ok: true, status: 'approved' },
      ],
    });

    const unknown = newId();
    const some = await approve([one.id, three.id, unknown]);
    expect(some.status).toBe(207);
    expect(some.body).toMatchObject({
      succeeded: 1,
      failed: 2,
      results: [
        { commissionId: one.id, ok: false, code: 'COMMISSION_NOT_PENDING' },
        { commissionId: three.id, ok: true },
        { commissionId: unknown, ok: false, code: 'COMMISSION_NOT_FOUND' },
      ],
    });

    const none = await approve([one.id]);
    expect(none.status).toBe(422);
    expect(none.body).toMatchObject({
      code: 'BULK_ALL_FAILED',
      results: [{ commissionId: one.id, ok: false, code: 'COMMISSION_NOT_PENDING' }],
    });

    const rejected = await api.patch(pathOf(one, '/bulk-reject'), {
      commissionIds: [one.id, two.id],
      reason: 'Fraud.',
    });
    expect(rejected.body).toMatchObject({ succeeded: 2, results: [{ status: 'rejected' }, {}] });
  });

  it('refuse lists that are empty, too long, repeated or malformed', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId });
    const id = newId();
    const path = pathOf({ programId: program.id }, '/bulk-approve');
    const tooMany = Array.from({ length: 101 }, () => newId());
    for (const commissionIds of [[], tooMany, [id, id], ['nonsense'], 'x', null]) {
      expect((await api.patch(path, { commissionIds })).status).toBe(400);
    }
    expect((await api.patch(path)).status).toBe(400);
    const reject = pathOf({ programId: program.id }, '/bulk-reject');
    expect((await api.patch(reject, { commissionIds: [id] })).status).toBe(400);
  });
});
