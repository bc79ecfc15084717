import type { CommissionRecord } from '../../../activities/commissions/records';
import { newId } from '../../../entities/ids';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Participant } from '../../../entities/tables/partners/participant.entity';
import { execute, type Db } from '../../../entities/database/sql';
import type { ApiResponse, Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;
let owner: BuiltMember;
let api: Caller;

const day = 86_400_000;

beforeAll(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(app, owner);
});

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
      adjustmentReason: null,
      originalAmountCents: 1_000,
      refundedAmountCents: 0,
      currency: 'usd',
      conversionAmountCents: 5_000,
      feeCents: null,
      terms: {
        rule: null,
        source: 'program',
        name: null,
        groupId: program.id,
        groupName: 'Default',
        customerMonth: null,
        paymentNumber: null,
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

  it('finds another id of the payment, whole', async () => {
    const program = await buildProgram(db, { workspaceId: owner.workspaceId });
    const found = await buildCommission(db, { program, externalTransactionId: 'order-x' });
    await execute(
      db,
      `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
       VALUES ($1, 'live', 'pi_Of_x', $2)`,
      [owner.workspaceId, found.conversionId],
    );
    const search = (text: string) => list(pathOf({ programId: program.id }, `?search=${text}`));
    expect(idsOf(await search('pi_Of_x'))).toEqual([found.id]);
    expect(idsOf(await search('%20pi_Of_x%20'))).toEqual([found.id]);
    for (const part of ['pi_Of_', 'i_Of_x', 'pi_of_x'])
      expect(idsOf(await search(part))).toEqual([]);
    const stats = await api.get(pathOf({ programId: program.id }, '/stats?search=pi_Of_x'));
    expect(stats.body['count']).toBe(1);
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
    const lonely = await callerOf(app, await buildMember(db));
    expect((await lonely.get('/api/v1/commissions')).body).toMatchObject({ data: [], total: 0 });
    expect((await lonely.get('/api/v1/commissions/stats')).body).toMatchObject({ count: 0 });
    expect((await lonely.get('/api/v1/commissions/export')).text.split('\r\n')).toHaveLength(2);
  });
});
