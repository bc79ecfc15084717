import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';

const app = useApp();
let db: Db;
let owner: BuiltMember;
let api: Caller;

beforeAll(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(app, owner);
});

const pathOf = (commission: { programId: string }, rest = ''): string =>
  `/api/v1/programs/${commission.programId}/commissions${rest}`;

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

describe('the list of commissions', () => {
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

  it('exports a negative adjustment as a number', async () => {
    const own = await buildProgram(db, { workspaceId: owner.workspaceId });
    const { id } = await buildParticipant(db, { program: own });
    const body = { amountCents: -500, reason: 'a correction' };
    await api.post(`/api/v1/programs/${own.id}/partners/${id}/adjustments`, body);
    const csv = await api.get(pathOf({ programId: own.id }, '/export'));
    expect(csv.text).toContain(',adjustment,-500,usd,0,');
  });
});
