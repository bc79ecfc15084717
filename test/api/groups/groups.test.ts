import { execute, query, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { openTermsShop, percent, type Group } from '../../support/partners/groups';

const app = useApp();
let db: Db;

beforeAll(() => {
  db = app.deps.db.manager;
});

interface Page {
  data: Group[];
  total: number;
}

it('a programme comes with a default group that has its id and nothing of its own', async () => {
  const { api } = await openTermsShop(app);
  const made = await api.post<{ id: string }>('/api/v1/programs', {
    name: 'Tea',
    websiteUrl: 'https://tea.example',
    commission: percent(2_000),
    publicApplications: false,
  });
  const path = `/api/v1/programs/${made.body.id}/groups`;
  const list = await api.get<Page>(path);
  expect(list.body).toMatchObject({
    total: 1,
    data: [
      {
        id: made.body.id,
        name: 'Default',
        description: null,
        commission: null,
        holdDays: null,
        autoApprove: null,
        publicApplications: false,
        approvalMode: null,
        isDefault: true,
        participants: 0,
      },
    ],
  });
});

it('a group is made, read, listed, changed and deleted (terms.md, Groups)', async () => {
  const { api, path } = await openTermsShop(app);
  const commission = percent(3_000, { recurring: true, recurringMonths: 12 });
  const made = await api.post<Group>(`${path}/groups`, { name: ' Gold ', commission, holdDays: 7 });
  expect(made.status).toBe(201);
  const own = `${path}/groups/${made.body.id}`;
  expect(made.headers.get('location')).toBe(own);
  expect(made.body).toMatchObject({
    name: 'Gold',
    commission: { ...commission, amountCents: null, basis: 'gross' },
    holdDays: 7,
    autoApprove: null,
    publicApplications: false,
    isDefault: false,
    participants: 0,
  });
  expect((await api.get(own)).body).toEqual(made.body);
  const changed = await api.patch<Group>(own, { commission: null, description: 'The best' });
  expect(changed.body).toMatchObject({ name: 'Gold', description: 'The best', commission: null });
  expect((await api.get<Page>(`${path}/groups`)).body.data.map(({ name }) => name)).toContain(
    'Gold',
  );
  expect((await api.delete(own)).status).toBe(204);
  expect(codeOf(await api.get(own))).toEqual([404, 'GROUP_NOT_FOUND']);
  expect(codeOf(await api.delete(own))).toEqual([404, 'GROUP_NOT_FOUND']);
  // Its name is free again.
  expect((await api.post(`${path}/groups`, { name: 'Gold' })).status).toBe(201);
});

it('names are unique in a programme in any case', async () => {
  const { api, path, group } = await openTermsShop(app);
  await group({ name: 'Gold' });
  const other = await group({ name: 'Silver' });
  const taken = [409, 'GROUP_NAME_TAKEN'];
  expect(codeOf(await api.post(`${path}/groups`, { name: 'gOLD' }))).toEqual(taken);
  expect(codeOf(await api.post(`${path}/groups`, { name: 'default' }))).toEqual(taken);
  expect(codeOf(await api.patch(`${path}/groups/${other.id}`, { name: 'GOLD' }))).toEqual(taken);
  expect((await api.patch(`${path}/groups/${other.id}`, { name: 'silver' })).status).toBe(200);
  const elsewhere = await openTermsShop(app);
  expect((await elsewhere.group({ name: 'Gold' })).name).toBe('Gold');
});

it('only name and description of the default group change', async () => {
  const { api, path, program } = await openTermsShop(app);
  const own = `${path}/groups/${program.id}`;
  const renamed = await api.patch<Group>(own, { name: 'Everybody', description: 'All of us' });
  expect(renamed.body).toMatchObject({ name: 'Everybody', isDefault: true });
  const refused = await api.patch<{ details: { field: string }[] }>(own, {
    commission: percent(1_000),
    holdDays: 1,
    publicApplications: false,
  });
  expect(refused.status).toBe(400);
  expect(refused.body.details.map(({ field }) => field)).toEqual([
    'commission',
    'holdDays',
    'publicApplications',
  ]);
  expect((await api.patch(own, { commission: null, approvalMode: null })).status).toBe(200);
  expect(codeOf(await api.delete(own))).toEqual([409, 'GROUP_IN_USE']);
});

it('a programme has a hundred groups at most, the default one among them', async () => {
  const { api, path, program } = await openTermsShop(app);
  await execute(
    db,
    `INSERT INTO program_groups (id, workspace_id, mode, program_id, name, name_key,
            public_applications, created_at, updated_at)
     SELECT gen_random_uuid(), $2, $3, $1, 'G' || n, 'g' || n, false, now(), now()
       FROM generate_series(1, 98) AS n`,
    [program.id, program.workspaceId, program.mode],
  );
  const refused = await api.post(`${path}/groups`, { name: 'One more' });
  expect([refused.status, codeOf(await api.post(`${path}/groups`, { name: 'Another' }))]).toEqual([
    201,
    [409, 'GROUP_LIMIT'],
  ]);
});

it('terms of a group are checked as those of a programme, with their place', async () => {
  const { api, path } = await openTermsShop(app);
  const commission = { type: 'flat', rateBps: 100, recurringMonths: 3 };
  const refused = await api.post<{ details: { field: string }[] }>(`${path}/groups`, {
    name: 'Gold',
    commission,
  });
  expect(refused.body.details.map(({ field }) => field)).toEqual([
    'commission.amountCents',
    'commission.rateBps',
    'commission.recurringMonths',
  ]);
});

it('a group that partners or open invites lead to stays; who takes no part is in the default one then', async () => {
  const shop = await openTermsShop(app);
  const { api, path } = shop;
  const group = await shop.group();
  const own = `${path}/groups/${group.id}`;
  const member = await shop.partner();
  await api.patch(`${member.path}/group`, { groupId: group.id });
  expect(codeOf(await api.delete(own))).toEqual([409, 'GROUP_IN_USE']);
  await execute(db, "UPDATE participants SET status = 'rejected' WHERE id = $1", [member.id]);
  const invited = await api.post<{ id: string }>(`${path}/invites`, {
    email: 'anna@partner.example',
    groupId: group.id,
  });
  expect(codeOf(await api.delete(own))).toEqual([409, 'GROUP_IN_USE']);
  await api.delete(`${path}/invites/${invited.body.id}`);
  expect((await api.delete(own)).status).toBe(204);
  const left = await api.get(member.path);
  expect(left.body).toMatchObject({ groupId: shop.program.id, groupName: 'Default' });
  const history = await api.get<{ data: { groupName: string; until: string | null }[] }>(
    `${member.path}/groups`,
  );
  expect(history.body.data.map(({ groupName }) => groupName)).toEqual([
    'Default',
    group.name,
    'Default',
  ]);
});

it('a group of another programme is unknown everywhere', async () => {
  const shop = await openTermsShop(app);
  const foreign = await (await openTermsShop(app)).group();
  const member = await shop.partner();
  const { api, path } = shop;
  const body = { groupId: foreign.id };
  const unknown = [404, 'GROUP_NOT_FOUND'];
  const calls = [
    api.get(`${path}/groups/${foreign.id}`),
    api.patch(`${path}/groups/${foreign.id}`, { name: 'Mine' }),
    api.patch(`${member.path}/group`, body),
    api.post(`${path}/partners/move`, { ...body, participantIds: [member.id] }),
    api.post(`${path}/invites`, { ...body, email: 'b@partner.example' }),
    api.post(`${path}/partners`, { ...body, email: 'c@partner.example', name: 'C' }),
    app.client.get(`/api/v1/public/programs/${shop.program.id}?group=${foreign.id}`),
  ];
  expect((await Promise.all(calls)).map(codeOf)).toEqual(calls.map(() => unknown));
  const groupIds = [foreign.id];
  const bonus = { name: 'B', metric: 'customers', atLeast: 1, amountCents: 1 };
  const rule = { name: 'R', ...percent(1_000), match: { groupIds } };
  const tried = { groupId: foreign.id, commission: null };
  const named: [string, Promise<{ body: Record<string, unknown> }>][] = [
    [
      'steps[0].groupId',
      api.put(`${path}/tiers`, { metric: 'customers', steps: [{ ...body, atLeast: 1 }] }),
    ],
    ['bonuses[0].groupIds', api.put(`${path}/bonuses`, { bonuses: [{ ...bonus, groupIds }] })],
    ['rules[0].match.groupIds', api.put(`${path}/commission-rules`, { rules: [rule] })],
    ['groups[0].groupId', api.post(`${path}/commission-rules/back-test`, { groups: [tried] })],
  ];
  for (const [field, call] of named) {
    expect((await call).body).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field }] });
  }
  const [stored] = await query<{ count: number }>(
    db,
    'SELECT count(*) AS count FROM participants WHERE program_id = $1',
    [shop.program.id],
  );
  expect(stored?.count).toBe(1);
});

it('an archived programme refuses every change of its groups', async () => {
  const shop = await openTermsShop(app);
  const group = await shop.group();
  const member = await shop.partner();
  const { api, path } = shop;
  await api.post(`${path}/archive`);
  const calls = [
    api.post(`${path}/groups`, { name: 'New' }),
    api.patch(`${path}/groups/${group.id}`, { name: 'New' }),
    api.delete(`${path}/groups/${group.id}`),
    api.patch(`${member.path}/group`, { groupId: group.id }),
    api.post(`${path}/partners/move`, { participantIds: [newId()], groupId: group.id }),
  ];
  const answers = await Promise.all(calls);
  expect(answers.map(codeOf)).toEqual(calls.map(() => [409, 'PROGRAM_ARCHIVED']));
});
