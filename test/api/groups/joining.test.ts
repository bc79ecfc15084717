import { query, type Db } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { buildParticipant } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { openTermsShop, percent, type TermsShop } from '../../support/partners/groups';
import { tokenOf } from '../../support/partners/invites';

const app = useApp();
let db: Db;

beforeAll(() => {
  db = app.deps.db.manager;
});

interface Joined {
  id: string;
  status: string;
  groupId: string;
  groupName: string;
}

async function invite(shop: TermsShop, groupId?: string): Promise<string> {
  const email = 'anna@partner.example';
  const made = await shop.api.post<{ inviteUrl: string }>(`${shop.path}/invites`, {
    email,
    ...(groupId === undefined ? {} : { groupId }),
  });
  expect(made.status).toBe(201);
  return tokenOf(made.body.inviteUrl);
}

const accept = '/api/v1/partner/invites/accept';

async function comer() {
  const partner = await buildPartner(db);
  return { partner, api: await callerOf(app, partner, 'test') };
}

const historyOf = async (shop: TermsShop, id: string) => {
  const read = await shop.api.get<{ data: { groupName: string; source: string }[] }>(
    `${shop.path}/partners/${id}/groups`,
  );
  return read.body.data.map(({ groupName, source }) => `${groupName} by ${source}`);
};

it('an invite leads into its group, and its preview shows that terms', async () => {
  const shop = await openTermsShop(app);
  const group = await shop.group({ name: 'Gold', commission: percent(3_500), holdDays: 3 });
  const token = await invite(shop, group.id);
  const preview = await app.client.post('/api/v1/partner/invites/preview', { token });
  expect(preview.body).toMatchObject({
    terms: { group: { name: 'Gold' }, commission: { rateBps: 3_500 }, holdDays: 3 },
  });
  const { api } = await comer();
  const joined = await api.post<Joined>(accept, { token });
  expect(joined.body).toMatchObject({ groupId: group.id, groupName: 'Gold', status: 'approved' });
  expect(await historyOf(shop, joined.body.id)).toEqual(['Gold by invite']);
});

it('an invite moves whom it approves, and nobody who takes part already', async () => {
  const shop = await openTermsShop(app);
  const group = await shop.group({ name: 'Gold' });
  const groups: string[] = [];
  for (const status of ['pending', 'rejected', 'approved', 'left'] as const) {
    const { partner, api } = await comer();
    await buildParticipant(db, { program: shop.program, partnerId: partner.id, status });
    const joined = await api.post<Joined>(accept, { token: await invite(shop, group.id) });
    groups.push(`${status}: ${joined.body.groupName}`);
  }
  expect(groups).toEqual(['pending: Gold', 'rejected: Gold', 'approved: Default', 'left: Gold']);
});

it('an application asks for an open group, and is decided as that group says', async () => {
  const shop = await openTermsShop(app, 'test', { publicApplications: false });
  const open = await shop.group({ name: 'Open', publicApplications: true, approvalMode: 'auto' });
  const closed = await shop.group();
  const apply = `/api/v1/partner/programs/${shop.program.id}/applications`;
  const { api } = await comer();
  const refused = [403, 'APPLICATIONS_CLOSED'];
  expect(codeOf(await api.post(apply, {}))).toEqual(refused);
  expect(codeOf(await api.post(apply, { groupId: closed.id }))).toEqual(refused);
  const foreign = await (await openTermsShop(app)).group({ publicApplications: true });
  expect(codeOf(await api.post(apply, { groupId: foreign.id }))).toEqual(refused);
  const joined = await api.post<Joined>(apply, { groupId: open.id });
  expect(joined.body).toMatchObject({ status: 'approved', groupName: 'Open' });
  expect(await historyOf(shop, joined.body.id)).toEqual(['Open by application']);
});

it('who left begins in the group that is asked for, else in the default one', async () => {
  const shop = await openTermsShop(app);
  const group = await shop.group({ name: 'Gold', publicApplications: true });
  const apply = `/api/v1/partner/programs/${shop.program.id}/applications`;
  const { api } = await comer();
  const first = await api.post<Joined>(apply, { groupId: group.id });
  await api.post(`/api/v1/partner/programs/${shop.program.id}/leave`);
  expect((await api.post<Joined>(apply, {})).body).toMatchObject({ groupName: 'Default' });
  await api.post(`/api/v1/partner/programs/${shop.program.id}/leave`);
  expect((await api.post<Joined>(apply, { groupId: group.id })).body.groupName).toBe('Gold');
  expect(await historyOf(shop, first.body.id)).toEqual([
    'Gold by application',
    'Default by application',
    'Gold by application',
  ]);
});

it("a server's partner begins in the group that it names; one who is there stays", async () => {
  const shop = await openTermsShop(app);
  const group = await shop.group({ name: 'Gold' });
  const other = await shop.group({ name: 'Silver' });
  const body = { email: 'ben@partner.example', name: 'Ben', groupId: group.id };
  const made = await shop.api.post<Joined>(`${shop.path}/partners`, body);
  expect([made.status, made.body.groupName]).toEqual([201, 'Gold']);
  const again = await shop.api.post<Joined>(`${shop.path}/partners`, {
    ...body,
    groupId: other.id,
  });
  expect([again.status, again.body.groupName]).toEqual([200, 'Gold']);
});

it('the public page shows the terms of an open group', async () => {
  const shop = await openTermsShop(app);
  const open = await shop.group({ publicApplications: true, commission: percent(4_000) });
  const closed = await shop.group();
  const path = `/api/v1/public/programs/${shop.program.id}`;
  const shown = await app.client.get(`${path}?group=${open.id}`);
  expect(shown.body).toMatchObject({ group: { name: open.name }, commission: { rateBps: 4_000 } });
  expect(codeOf(await app.client.get(`${path}?group=${closed.id}`))).toEqual([
    404,
    'GROUP_NOT_FOUND',
  ]);
  expect((await app.client.get(path)).body).toMatchObject({ group: { name: 'Default' } });
});

it('lists, counts and figures narrow to who is in a group now', async () => {
  const shop = await openTermsShop(app);
  const group = await shop.group();
  const [one, two] = [await shop.partner(), await shop.partner()];
  await shop.api.patch(`${one.path}/group`, { groupId: group.id });
  await shop.sale(one);
  await shop.sale(two);
  const { api, path, program } = shop;
  const totals = async (groupId: string) => {
    const at = `groupId=${groupId}`;
    const day = new Date().toISOString().slice(0, 10);
    const figures = `from=${day}&to=${day}&tz=UTC&programId=${program.id}&${at}`;
    const read = async (url: string) => (await api.get<Record<string, unknown>>(url)).body;
    const csv = await api.get(`${path}/commissions/export?${at}`);
    const metrics = await read(`/api/v1/analytics/metrics?${figures}`);
    return [
      (await read(`${path}/partners?${at}`))['total'],
      (await read(`${path}/commissions?${at}`))['total'],
      (await read(`${path}/commissions/stats?${at}`))['count'],
      (await read(`/api/v1/commissions?${at}`))['total'],
      csv.text.trim().split('\n').length - 1,
      (metrics['current'] as { conversions: number }).conversions,
      (await read(`/api/v1/analytics/partners?${figures}`))['total'],
    ];
  };
  expect(await totals(group.id)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  expect(await totals(program.id)).toEqual([1, 1, 1, 1, 1, 1, 1]);
  const [counted] = (await api.get<{ data: { participants: number }[] }>(`${path}/groups`)).body
    .data;
  expect(counted?.participants).toBe(1);
  expect(
    await query(db, 'SELECT 1 FROM participants WHERE program_id = $1', [program.id]),
  ).toHaveLength(2);
});
