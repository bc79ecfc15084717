import { execute, query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildMember, signIn, testPassword as password } from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { deliverQueued, mailsTo } from '../../support/stored/mails';

const app = useApp();
afterEach(() => app.deps.clock.set(undefined));

const path = '/api/v1/workspace';
const day = 86_400_000;

async function workspace() {
  const account = await buildMember(app.deps.db.manager);
  const caller = app.client.as((await signIn(app.deps, account)).accessToken);
  const close = (body: unknown) => caller.delete<Record<string, string>>(path, { body });
  const reopen = () => caller.post<Record<string, string>>(`${path}/reopen`, {});
  const read = async () => (await caller.get<{ closesAt: string | null }>(path)).body.closesAt;
  return { ...account, caller, close, reopen, read };
}

const good = { confirmation: 'DELETE', password };

async function auditOf(workspaceId: string): Promise<string[]> {
  const lines = await query<{ action: string }>(
    app.deps.db.manager,
    `SELECT action FROM audit_log WHERE workspace_id = $1 ORDER BY created_at, id`,
    [workspaceId],
  );
  return lines.map(({ action }) => action);
}

describe('closing a workspace', () => {
  it('is thirty days ahead, is asked for once, and is taken back', async () => {
    const own = await workspace();
    const now = new Date('2026-03-01T10:00:00.000Z');
    expect(await own.read()).toBeNull();
    app.deps.clock.set(now);
    const caller = app.client.as((await signIn(app.deps, own)).accessToken);
    const closed = await caller.delete<Record<string, unknown>>(path, { body: good });
    const closesAt = new Date(now.getTime() + 30 * day).toISOString();
    expect([closed.status, closed.body['closesAt']]).toEqual([200, closesAt]);

    app.deps.clock.set(new Date(now.getTime() + 60_000));
    const again = await caller.delete<Record<string, unknown>>(path, { body: good });
    expect([again.status, again.body['closesAt']]).toEqual([200, closesAt]);

    const reopened = await caller.post<Record<string, unknown>>(`${path}/reopen`, {});
    expect([reopened.status, reopened.body['closesAt']]).toEqual([200, null]);
    const twice = await caller.post<Record<string, unknown>>(`${path}/reopen`, {});
    expect([twice.status, twice.body['code']]).toEqual([409, 'WORKSPACE_NOT_CLOSING']);
    expect(await auditOf(own.workspaceId)).toEqual(['workspace.closing', 'workspace.reopened']);
  });

  it('is told to owners and admins by mail, both times', async () => {
    const own = await workspace();
    const admin = await buildMember(app.deps.db.manager, {
      workspaceId: own.workspaceId,
      role: 'admin',
    });
    await own.close(good);
    await own.reopen();
    await deliverQueued(app.deps);
    for (const email of [own.email, admin.email]) {
      const subjects = (await mailsTo(email)).map(({ subject }) => subject);
      expect(subjects.sort()).toEqual([
        expect.stringMatching(/ will be closed$/),
        expect.stringMatching(/ will not be closed$/),
      ]);
    }
  });

  it.each([
    [{ confirmation: 'delete', password }, 'CONFIRMATION_INVALID'],
    [{ password }, 'CONFIRMATION_INVALID'],
    [undefined, 'CONFIRMATION_INVALID'],
    [{ confirmation: 'DELETE' }, 'VALIDATION_ERROR'],
    [{ confirmation: 'DELETE', password: 'something else' }, 'PASSWORD_INVALID'],
  ])('with %j is 400 %s, and changes nothing', async (body, code) => {
    const own = await workspace();
    const refused = await own.close(body);
    expect([refused.status, refused.body['code']]).toEqual([400, code]);
    expect(await own.read()).toBeNull();
  });

  it('is for owners only, and so is taking it back', async () => {
    const own = await workspace();
    await own.close(good);
    const admin = await buildMember(app.deps.db.manager, {
      workspaceId: own.workspaceId,
      role: 'admin',
    });
    const caller = app.client.as((await signIn(app.deps, admin)).accessToken);
    for (const answer of [
      await caller.delete<Record<string, string>>(path, { body: good }),
      await caller.post<Record<string, string>>(`${path}/reopen`, {}),
    ]) {
      expect([answer.status, answer.body['code']]).toEqual([403, 'FORBIDDEN']);
    }
    expect(await own.read()).not.toBeNull();
  });

  it.each(['live', 'test'] as const)('while a %s payout is processing', async (mode) => {
    const own = await workspace();
    const db = app.deps.db.manager;
    const program = await buildProgram(db, { workspaceId: own.workspaceId, mode });
    const participant = await buildParticipant(db, { program });
    const payable = await buildCommission(db, { participant, program, status: 'approved' });
    const payout = await buildPayout(db, [payable]);
    const answer = await own.close(good);
    expect([answer.status, answer.body['code']]).toEqual(
      mode === 'live' ? [409, 'WORKSPACE_PAYOUT_PROCESSING'] : [200, undefined],
    );
    await execute(db, `UPDATE payouts SET status = 'completed' WHERE id = $1`, [payout.id]);
    expect((await own.close(good)).status).toBe(200);
  });
});
