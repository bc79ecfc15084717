import type { CommissionRecord } from '../../../activities/commissions/records';
import { newId } from '../../../entities/ids';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import type { Db } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { update } from '../../../entities/database/update';

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

const pathOf = (commission: { programId: string }, rest = ''): string =>
  `/api/v1/programs/${commission.programId}/commissions${rest}`;

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
    await update(db, Participant, {
      where: { id: commission.participantId },
      set: { erasedAt: new Date() },
    });
    const response = await decide(commission, 'approve');
    expect([response.status, response.body['code']]).toEqual([409, 'PARTICIPANT_ERASED']);
    expect((await decide(commission, 'reject', { reason: 'gone' })).status).toBe(200);
  });

  it('need a member, and look nothing up for a viewer', async () => {
    const commission = await build(ended);
    const viewer = await callerOf(
      app,
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
    const inTest = await callerOf(app, owner, 'test');
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
        { commissionId: one.id, ok: false, status: 'approved', code: 'COMMISSION_NOT_PENDING' },
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
