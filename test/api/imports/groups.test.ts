import { execute, type Db } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey, buildMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { beginImport, csvOf, workOn, type ImportApi } from '../../support/imports';

const app = useApp();
let db: Db;
let api: Caller;
let shop: Caller;
let program: Program;

beforeEach(async () => {
  db = app.deps.db.manager;
  const owner = await buildMember(db);
  const { workspaceId } = owner;
  api = await callerOf(app, owner);
  program = await buildProgram(db, { workspaceId, rateBps: 2_000 });
  const key = await buildApiKey(db, { workspaceId, mode: 'live', kind: 'secret' });
  shop = app.client.as(key.key);
});

const partners = csvOf([
  { partner_id: 'p1', email: 'ann@example.com', status: 'active', group: 'gold' },
  { partner_id: 'p2', email: 'bob@example.com', status: 'active', group: 'Silver' },
  { partner_id: 'p3', email: 'ANN@example.com', status: 'active', group: 'Silver' },
  { partner_id: 'p4', email: 'cat@example.com', status: 'active', group: '' },
  { partner_id: 'p5', email: 'dan@example.com', status: 'active', group: 'bad\u0007' },
  { partner_id: 'p6', email: 'eve@example.com', status: 'active', group: 'Default' },
]);
const links = csvOf([
  { partner_id: 'p1', token: 'ANN10', kind: 'code' },
  { partner_id: 'p2', token: 'BOB10', kind: 'code' },
]);
const own = { currency: 'usd', occurred_at: '2026-01-01' };
const commissions = csvOf([
  { ...own, commission_id: 'c1', partner_id: 'p1', amount: '1.00', status: 'pending' },
  { ...own, commission_id: 'c2', partner_id: 'p1', amount: '90.00', status: 'paid' },
  { ...own, commission_id: 'c3', partner_id: 'p3', amount: '2.00', status: 'approved' },
]);

const base = () => `/api/v1/programs/${program.id}`;
const files = { partners, links, commissions };

async function begin(groupBy?: string): Promise<ImportApi> {
  return beginImport(app.deps, api, { programId: program.id, files, body: { groupBy } });
}

interface GroupOf {
  name: string;
  isDefault: boolean;
  participants: number;
  publicApplications: boolean;
  commission: object | null;
  id: string;
}

async function groups(): Promise<GroupOf[]> {
  return (await api.get<{ data: GroupOf[] }>(`${base()}/groups`)).body.data;
}

type Partner = Record<'id' | 'partnerEmail' | 'groupName' | 'groupSince', string>;

async function members(): Promise<Map<string, Partner>> {
  const { body } = await api.get<{ data: Partner[] }>(`${base()}/partners?limit=50`);
  return new Map(body.data.map((partner) => [partner.partnerEmail.split('@')[0] ?? '', partner]));
}

it('puts partners into groups that are found or made (imports.md, Groups)', async () => {
  const silver = await api.post<GroupOf>(`${base()}/groups`, {
    name: 'SILVER',
    commission: { type: 'percentage', rateBps: 3_000 },
  });
  const one = await begin('campaign');
  const checked = await one.check();
  expect(checked).toMatchObject({ groupBy: 'campaign', status: 'checked' });
  expect(await groups()).toHaveLength(2);
  expect(checked.report).toMatchObject({
    kinds: [{ read: 6, new: 6, skipped: 0 }, {}, {}, { read: 3, new: 3 }],
    money: [{ openCents: 300, paidCents: 9_000 }],
    problems: { count: 1, sample: [{ line: 2, id: 'p1', code: 'GROUP_AMBIGUOUS' }] },
    warnings: { count: 1, sample: [{ id: 'p5', message: 'group is no name that can be shown' }] },
  });
  const problems = await api.get(`${one.path}/problems`);
  expect(problems.text.split('\r\n')).toHaveLength(3);
  expect(problems.text).toContain('partners-1,2,p1,GROUP_AMBIGUOUS,');

  expect(await one.apply()).toMatchObject({
    status: 'applied',
    report: { problems: { count: 1 }, money: [{ openCents: 300, paidCents: 9_000 }] },
  });
  const after = await members();
  const names = ['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => after.get(name)?.groupName);
  expect(names).toEqual(['SILVER', 'SILVER', 'Default', 'Default', 'Default']);
  expect(await groups()).toHaveLength(2);

  const path = `${base()}/partners/${after.get('bob')?.id}/groups`;
  const history = await api.get<{ data: object[] }>(path);
  expect(history.body.data).toMatchObject([
    { groupId: silver.body.id, source: 'import', until: null },
  ]);
  const sale = { event_type: 'purchase', amount_cents: 10_000, currency: 'usd' };
  const told = await shop.post('/api/v1/conversions', {
    ...sale,
    external_transaction_id: 's1',
    promo_code: 'BOB10',
  });
  expect(told.body['commission']).toMatchObject({ amount_cents: 3_000 });
  const left = await api.get(`${base()}/export/partners`);
  expect(left.text).toMatch(/bob@example\.com,bob,approved,SILVER,/);
});

it('makes groups closed, and takes those that nothing names back', async () => {
  const one = await begin('campaign');
  await one.check();
  await one.apply();
  expect(await groups()).toMatchObject([
    { name: 'Default', participants: 3 },
    { name: 'Silver', participants: 2, publicApplications: false, commission: null },
  ]);
  expect((await api.post(`${one.path}/undo`)).status).toBe(202);
  await workOn(app.deps, one.path.split('/').at(-1) ?? '');
  expect((await one.read()).status).toBe('undone');
  expect(await groups()).toMatchObject([{ name: 'Default', participants: 0 }]);

  const again = await begin('campaign');
  await again.check();
  await again.apply();
  const silver = (await groups())[1];
  const tiers = { metric: 'customers', steps: [{ atLeast: 5, groupId: silver?.id }] };
  expect((await api.put(`${base()}/tiers`, tiers)).status).toBe(200);
  expect((await api.post(`${again.path}/undo`)).status).toBe(202);
  await workOn(app.deps, again.path.split('/').at(-1) ?? '');
  expect(await groups()).toMatchObject([{ name: 'Default' }, { name: 'Silver', participants: 0 }]);
});

it('puts nobody into a group unless it is asked to, and moves nobody who is here', async () => {
  const one = await begin();
  expect((await one.check()).report?.problems.count).toBe(0);
  await one.apply();
  expect(await groups()).toHaveLength(1);

  const two = await begin('campaign');
  expect((await two.read()).groupBy).toBe('campaign');
  const patched = await api.patch<{ groupBy: null }>(two.path, { groupBy: null });
  expect(patched.body.groupBy).toBeNull();
  expect((await api.patch(two.path, { groupBy: 'weather' })).status).toBe(400);
  await api.patch(two.path, { groupBy: 'campaign' });
  await two.check();
  await two.apply();
  expect(await groups()).toHaveLength(1);
});

it('tells of a group that there is no room for', async () => {
  await execute(
    db,
    `INSERT INTO program_groups
            (id, workspace_id, mode, program_id, name, name_key, public_applications, created_at, updated_at)
     SELECT gen_random_uuid(), workspace_id, mode, id, 'g' || n, 'g' || n, false, now(), now()
       FROM programs, generate_series(1, 99) AS n WHERE id = $1`,
    [program.id],
  );
  const one = await begin('campaign');
  await one.check();
  const { report } = await one.apply();
  expect(report?.problems.sample.map(({ id, code }) => [id, code])).toEqual([
    ['p1', 'FIELD_INVALID'],
    ['p2', 'FIELD_INVALID'],
  ]);
  expect((await members()).get('bob')?.groupName).toBe('Default');
});
