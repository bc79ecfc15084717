import { newId } from '../../../entities/ids';
import type { Db } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, signIn, type BuiltMember } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';

const app = useApp();
let db: Db;
let owner: BuiltMember;
let token: string;

beforeAll(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
  token = (await signIn(app.deps, owner)).accessToken;
});

const inMode = (mode: 'live' | 'test'): Caller => app.client.as(token, mode);

/** A programme with one payout; gives the ids of both. */
async function payoutIn(mode: 'live' | 'test', completed: boolean) {
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode });
  const participant = await buildParticipant(db, { program });
  const commission = await buildCommission(db, { participant, status: 'approved' });
  const { id } = await buildPayout(db, [commission], { completed });
  return { id, programId: program.id };
}

async function listed(mode: 'live' | 'test', query: string): Promise<[string[], unknown]> {
  const { status, body } = await inMode(mode).get<{ data: { id: string }[]; total: number }>(
    `/api/v1/payouts${query}`,
  );
  expect(status).toBe(200);
  return [body.data.map(({ id }) => id).sort(), body.total];
}

describe('GET /api/v1/payouts', () => {
  it('shows those of the mode, the programme and the status that are asked for', async () => {
    const running = await payoutIn('live', false);
    const ended = await payoutIn('live', true);
    const other = await payoutIn('test', false);
    const both = [running.id, ended.id].sort();

    expect(await listed('live', '')).toEqual([both, 2]);
    expect(await listed('test', '')).toEqual([[other.id], 1]);
    expect(await listed('live', '?status=processing')).toEqual([[running.id], 1]);
    expect(await listed('live', '?status=completed')).toEqual([[ended.id], 1]);
    expect(await listed('live', '?status=cancelled')).toEqual([[], 0]);
    const { programId } = ended;
    expect(await listed('live', `?programId=${programId}`)).toEqual([[ended.id], 1]);
    expect(await listed('live', `?programId=${programId}&status=processing`)).toEqual([[], 0]);
    const elsewhere = await inMode('test').get(`/api/v1/payouts?programId=${programId}`);
    expect([elsewhere.status, elsewhere.body['code']]).toEqual([404, 'PROGRAM_NOT_FOUND']);
  });
});

describe('POST /api/v1/payouts', () => {
  it('takes 5,000 named commissions at most', async () => {
    const { id: programId } = await buildProgram(db, { workspaceId: owner.workspaceId });
    const name = (count: number) => Array.from({ length: count }, () => newId());
    const post = (commissionIds: string[]) =>
      inMode('live').post('/api/v1/payouts', { programId, commissionIds });
    const most = await post(name(5_000));
    expect([most.status, most.body['code']]).toEqual([422, 'COMMISSION_NOT_PAYABLE']);
    const more = await post(name(5_001));
    expect([more.status, more.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(more.body)).toContain('commissionIds');
  });
});
