import { newId } from '../../../entities/ids';
import type { Role } from '../../../entities/rules/values/roles';
import { useApp } from '../../support/app';
import { codeOf, type Caller } from '../../support/api-client';
import { buildApiKey, buildMember, buildPartner, signIn } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildLink, buildParticipant, buildProgram } from '../../support/build/programs';

const app = useApp();

async function memberOf(workspaceId?: string, role: Role = 'owner') {
  const account = await buildMember(app.deps.db.manager, {
    role,
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
  const { accessToken } = await signIn(app.deps, account);
  return { ...account, caller: app.client.as(accessToken, 'test') };
}

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const path = '/api/v1/workspace/api-keys';
const body = { kind: 'secret', mode: 'test' };
const create = (caller: Caller, key: string) =>
  caller.post<{ key: string; code?: string }>(path, body, { headers: { 'Idempotency-Key': key } });

describe("somebody else's Idempotency-Key", () => {
  it('replays nothing: not to a colleague of the same role, and not to a stranger', async () => {
    const owner = await memberOf();
    const key = newId();
    const first = await create(owner.caller, key);
    for (const other of [await memberOf(owner.workspaceId), await memberOf()]) {
      const answer = await create(other.caller, key);
      expect(answer.status).toBe(201);
      expect(answer.headers.get('idempotent-replayed')).toBeNull();
      expect(answer.body.key).not.toBe(first.body.key);
    }
    const again = await create(owner.caller, key);
    expect([again.headers.get('idempotent-replayed'), again.body.key]).toEqual([
      'true',
      first.body.key,
    ]);
  });

  it('and even the own one gives nothing to who has lost the right, or the account', async () => {
    const owner = await memberOf();
    const admin = await memberOf(owner.workspaceId, 'admin');
    const key = newId();
    expect((await create(admin.caller, key)).status).toBe(201);
    const member = `/api/v1/workspace/members/${admin.id}`;
    await owner.caller.patch(member, { role: 'viewer' });
    expect(codeOf(await create(admin.caller, key))).toEqual([403, 'FORBIDDEN']);
    await owner.caller.delete(member);
    expect(codeOf(await create(admin.caller, key))).toEqual([401, 'UNAUTHORIZED']);
  });

  it('of a server or a browser is none of another key of the same workspace', async () => {
    const db = app.deps.db.manager;
    const program = await buildProgram(db, { mode: 'test' });
    const link = await buildLink(db, await buildParticipant(db, { program }));
    const send = async (key: string) => {
      const click = { key, ref: link.token };
      const headers = { 'Idempotency-Key': 'the same for all', 'User-Agent': browser };
      return app.client.post<{ click_id: string }>('/v1/clicks', click, { headers });
    };
    const scope = { workspaceId: program.workspaceId, mode: 'test', kind: 'public' } as const;
    const [one, two] = [await buildApiKey(db, scope), await buildApiKey(db, scope)];
    const first = await send(one.key);
    const second = await send(two.key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.click_id).not.toBe(first.body.click_id);
  });

  it('of a merchant is none of a partner of the same address', async () => {
    const email = `${newId()}@both.example`;
    const db = app.deps.db.manager;
    const key = newId();
    const headers = { 'Idempotency-Key': key };
    const merchant = await buildMember(db, { email });
    const partner = await buildPartner(db, { email });
    for (const [account, feed] of [
      [merchant, '/api/v1/notifications'],
      [partner, '/api/v1/partner/notifications'],
    ] as const) {
      const caller = app.client.as((await signIn(app.deps, account)).accessToken, 'test');
      const answer = await caller.post(`${feed}/stream-ticket`, {}, { headers });
      expect([answer.status, answer.headers.get('idempotent-replayed')]).toEqual([201, null]);
    }
  });
});

it('the query belongs to what an Idempotency-Key stands for: a file that was tried is not booked', async () => {
  const db = app.deps.db.manager;
  const owner = await memberOf();
  const program = await buildProgram(db, { workspaceId: owner.workspaceId, mode: 'test' });
  const participant = await buildParticipant(db, { program });
  const payable = await buildCommission(db, { participant, program, status: 'approved' });
  const { id } = await buildPayout(db, [payable]);
  const record = await owner.caller.get<{ items: { reference: string }[] }>(
    `/api/v1/payouts/${id}`,
  );
  const reference = record.body.items[0]?.reference;
  expect(reference).toBeDefined();
  const file = `itemReference,status,transactionId,reason\n${String(reference)},paid,T1,\n`;
  const headers = { 'Idempotency-Key': newId(), 'Content-Type': 'text/csv' };
  const send = (query: string) =>
    owner.caller.post<{ dryRun: boolean }>(`/api/v1/payouts/${id}/results${query}`, file, {
      headers,
    });
  expect((await send('?dryRun=true')).body.dryRun).toBe(true);
  expect(codeOf(await send('?dryRun=false'))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect((await send('?dryRun=true')).headers.get('idempotent-replayed')).toBe('true');
});
