import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import type { Caller } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import type { BuiltParticipant } from '../../support/build/programs';
import { buildWatchedProgram, type WatchedProgram } from '../../support/shops/watched-program';

interface Flag {
  id: string;
  rule: string;
  state: string;
  note: string | null;
  resolvedAt: string | null;
  commission: { status: string } | null;
}

const app = useApp();
let participant: BuiltParticipant;
let admin: Caller;
let base: string;
let convert: WatchedProgram['convert'];

beforeEach(async () => {
  ({ participant, admin, base, convert } = await buildWatchedProgram(app));
});

const list = async (search = '') =>
  (await admin.get<{ data: Flag[]; total: number }>(`${base}/fraud-flags?${search}`)).body;
const resolve = (id: string, body: unknown, by = admin) =>
  by.post<Flag & { code: string }>(`${base}/fraud-flags/${id}/resolve`, body);

async function flagged(): Promise<Flag> {
  await convert({ userAgent: null });
  const [flag] = (await list('state=open')).data;
  if (!flag) throw new Error('nothing was flagged');
  return flag;
}

describe('a fraud flag', () => {
  it('is open until a member resolves it, with a note for the others', async () => {
    const flag = await flagged();
    expect(flag).toMatchObject({ state: 'open', note: null, resolvedAt: null });
    const { status, body } = await resolve(flag.id, {
      state: 'dismissed',
      note: 'A test of ours.',
    });
    expect([status, body]).toMatchObject([
      200,
      {
        id: flag.id,
        state: 'dismissed',
        note: 'A test of ours.',
        commission: { status: 'pending' },
      },
    ]);
    expect(body.resolvedAt).not.toBeNull();
    expect((await list('state=open')).total).toBe(0);
    expect((await list('state=dismissed')).data).toEqual([body]);
    expect((await list()).total).toBe(1);
  });

  it('is resolved once, however many try, with one audit line that says nothing of the note', async () => {
    const { id } = await flagged();
    const tries = [resolve(id, { state: 'confirmed', note: 'Seen.' })];
    tries.push(...Array.from({ length: 4 }, () => resolve(id, { state: 'dismissed' })));
    const answers = await Promise.all(tries);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
    const again = await resolve(id, { state: 'confirmed' });
    expect([again.status, again.body.code]).toEqual([409, 'FRAUD_FLAG_RESOLVED']);
    const audit = await query<{ action: string; row: string }>(
      app.deps.db.manager,
      `SELECT action, a::text AS row FROM audit_log AS a
        WHERE workspace_id = $1 AND action LIKE 'fraud_flag.%'`,
      [participant.workspaceId],
    );
    expect(audit).toHaveLength(1);
    expect(audit[0]?.row).toContain(id);
    expect(audit[0]?.row).not.toContain('Seen.');
  });

  it('is resolved by members, as confirmed or dismissed and nothing else', async () => {
    const { id } = await flagged();
    const { workspaceId } = participant;
    const viewer = await buildMember(app.deps.db.manager, { workspaceId, role: 'viewer' });
    const by = app.client.as((await signIn(app.deps, viewer)).accessToken, 'live');
    expect((await resolve(id, { state: 'dismissed' }, by)).status).toBe(403);
    for (const body of [{}, { state: 'open' }, { state: 'dismissed', note: 'x'.repeat(501) }]) {
      expect((await resolve(id, body)).status).toBe(400);
    }
    expect((await admin.get(`${base}/fraud-flags?state=closed`)).status).toBe(400);
    const unknown = await resolve(participant.id, { state: 'dismissed' });
    expect([unknown.status, unknown.body.code]).toEqual([404, 'FRAUD_FLAG_NOT_FOUND']);
    expect((await list('state=open')).total).toBe(1);
  });

  it('that is resolved waits in the inbox no more', async () => {
    const { id } = await flagged();
    const waiting = async () =>
      (await admin.get<{ fraudFlags: number }>('/api/v1/workspace/inbox')).body.fraudFlags;
    expect(await waiting()).toBe(1);
    await resolve(id, { state: 'confirmed' });
    expect(await waiting()).toBe(0);
  });
});
