import type { Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildMember,
  buildPartner,
  type BuiltMember,
  type BuiltPartner,
} from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { relayHandlers } from '../../../workers/relay/handlers';
import { callerOf } from '../../support/callers';
import { relayOnce } from '../../support/workers/relay-once';

const app = useApp();
let db: Db;
let api: Caller;
let portal: Caller;
let workspaceId: string;
let others: BuiltMember[];
let self: BuiltPartner;
let programId: string;
let participantId: string;

beforeAll(() => {
  db = app.deps.db.manager;
});
beforeEach(async () => {
  app.deps.clock.set(new Date());
  const owner = await buildMember(db);
  ({ workspaceId } = owner);
  others = [];
  for (const role of ['viewer', 'member', 'admin'] as const) {
    others.push(await buildMember(db, { workspaceId, role }));
  }
  const partner = await buildPartner(db);
  self = partner;
  [api, portal] = [await callerOf(app, owner), await callerOf(app, partner)];
  const program = await buildProgram(db, { workspaceId });
  const { id: partnerId, email: partnerEmail } = partner;
  const of = { program, partnerId, partnerEmail, partnerName: 'Anna' };
  const participant = await buildParticipant(db, of);
  await buildCommission(db, { program, participant, status: 'approved' });
  [programId, participantId] = [program.id, participant.id];
});

interface Feed {
  data: { id: string; type: string; title: string; body: string; data: object }[];
}
const make = async () => {
  const { body } = await api.post<{ id: string; items: { id: string }[] }>('/api/v1/payouts', {
    programId,
  });
  return body;
};
const miss = (id: string, body?: object, by = portal) =>
  by.post(`/api/v1/partner/payouts/${id}/not-received`, body);
const told = async () =>
  (await api.get<Feed>('/api/v1/notifications')).body.data.filter(
    ({ type }) => type === 'payout.not_received',
  );

it('tells the admins, once a day, and changes no status (payouts.md, What did not arrive)', async () => {
  const { id } = await make();
  await api.post(`/api/v1/payouts/${id}/complete`);
  const before = (await api.get(`/api/v1/payouts/${id}`)).body;
  const answer = await miss(id, { message: ' Nothing came. ' });
  expect([answer.status, answer.body]).toEqual([202, {}]);
  expect((await miss(id)).status).toBe(202);
  expect(await told()).toMatchObject([
    {
      title: 'Anna has not received a payout',
      body: expect.stringContaining('They write: Nothing came.') as string,
      data: { payoutId: id, programId, participantId },
    },
  ]);
  const mailed = await db.query<{ role: string }[]>(
    `SELECT a.role FROM mails AS m JOIN merchant_accounts AS a ON a.id = m.account_id
      WHERE m.type = 'payout.not_received' AND a.workspace_id = $1`,
    [workspaceId],
  );
  expect(mailed.map(({ role }) => role).sort()).toEqual(['admin', 'owner']);
  expect((await api.get(`/api/v1/payouts/${id}`)).body).toEqual(before);

  app.deps.clock.set(new Date(app.deps.clock.now().getTime() + 24 * 3_600_000));
  const later = await callerOf(app, self);
  expect((await miss(id, undefined, later)).status).toBe(202);
  const notices = await db.query<object[]>(
    `SELECT 1 FROM notifications WHERE type = 'payout.not_received' AND participant_id = $1`,
    [participantId],
  );
  expect(notices).toHaveLength(2);
});

it("stands in the feed of admins only, and in nobody else's counts", async () => {
  const { id } = await make();
  await api.post(`/api/v1/payouts/${id}/complete`);
  await miss(id);
  // The feed has a notification of the same category, too, that everybody sees.
  await relayOnce(app.deps, 'event_notices', relayHandlers(app.deps).event_notices);
  const [viewer, member, admin] = await Promise.all(others.map((one) => callerOf(app, one)));
  const seen = async (by?: Caller) => {
    const feed = await by?.get<Feed & { total: number }>('/api/v1/notifications?category=payouts');
    const unread = await by?.get<{ data: object[]; total: number }>(
      '/api/v1/notifications?category=payouts&unread=true',
    );
    const count = await by?.get<{ count: number }>('/api/v1/notifications/unread-count');
    const types = feed?.body.data.map(({ type }) => type);
    return [types, feed?.body.total, unread?.body.total, count?.body.count];
  };
  const all = ['payout.completed'];
  for (const by of [viewer, member]) expect(await seen(by)).toEqual([all, 1, 1, 1]);
  const both = expect.arrayContaining(['payout.completed', 'payout.not_received']) as string[];
  for (const by of [api, admin]) expect(await seen(by)).toEqual([both, 2, 2, 2]);

  const [notice] = await told();
  const path = `/api/v1/notifications/${notice?.id}`;
  expect(codeOf((await viewer?.post(`${path}/read`)) as never)).toEqual([404, 'NOT_FOUND']);
  expect((await api.post(`${path}/read`)).status).toBe(200);
  expect(await seen(api)).toEqual([both, 2, 1, 1]);
  expect((await admin?.post('/api/v1/notifications/read-all'))?.body).toEqual({ count: 2 });
  expect(await seen(admin)).toEqual([both, 2, 0, 0]);
  expect((await admin?.post('/api/v1/notifications/dismiss-read'))?.body).toEqual({ count: 2 });
  for (const by of [viewer, member, api, admin]) expect(await seen(by)).toEqual([[], 0, 0, 0]);
});

it("a partner misses only what counts as paid, and only money of one's own", async () => {
  const { id, items } = await make();
  expect(codeOf(await miss(id))).toEqual([409, 'PAYOUT_ITEM_INVALID_TRANSITION']);
  await api.post(`/api/v1/payouts/${id}/items/${String(items[0]?.id)}/mark`, { status: 'failed' });
  expect(codeOf(await miss(id))).toEqual([409, 'PAYOUT_ITEM_INVALID_TRANSITION']);
  const stranger = await callerOf(app, await buildPartner(db));
  expect(codeOf(await miss(id, {}, stranger))).toEqual([404, 'PAYOUT_NOT_FOUND']);
  expect(codeOf(await miss(newId()))).toEqual([404, 'PAYOUT_NOT_FOUND']);
  const long = await miss(id, { message: 'x'.repeat(501) });
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('message')]);
  expect(await told()).toEqual([]);
});
