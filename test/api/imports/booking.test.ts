import type { ImportDto } from '../../../api/imports/imports.dto';
import type { AnnouncedDto } from '../../../api/imports/import-bookings.routes';
import { query, type Db } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildApiKey, buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import {
  beginImport,
  csvOf,
  cutover,
  workOn,
  type Files,
  type ImportApi,
} from '../../support/imports';

interface Payout {
  id: string;
  items: { amountCents: number }[];
}

const app = useApp();
let db: Db;
let api: Caller;
let shop: Caller;
let owner: BuiltMember;
let program: Program;
let publicKey: string;

beforeEach(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(app, owner);
  const { workspaceId } = owner;
  program = await buildProgram(db, {
    workspaceId,
    recurring: true,
    recurringMonths: 12,
    holdDays: 30,
  });
  const scope = { workspaceId, mode: 'live' as const };
  shop = app.client.as((await buildApiKey(db, { ...scope, kind: 'secret' })).key);
  publicKey = (await buildApiKey(db, { ...scope, kind: 'public' })).key;
});

afterEach(() => app.deps.clock.set(undefined));

const partners = csvOf([
  {
    partner_id: 'p1',
    email: 'ann@example.com',
    name: 'Ann',
    status: 'active',
    payout_email: 'ann.pays@example.com',
    created_at: '2024-01-01',
  },
  { partner_id: 'p2', email: 'bob@example.com', name: 'Bob', status: 'active' },
  { partner_id: 'p3', email: 'ANN@example.com', name: 'Ann again', status: 'active' },
]);
const links = csvOf([
  { partner_id: 'p1', token: 'Ann.Smith', kind: 'link' },
  { partner_id: 'p1', token: 'ann-smith', kind: 'link' },
  { partner_id: 'p1', token: 'ANN10', kind: 'code' },
  { partner_id: 'p2', token: 'b', kind: 'link' },
  { partner_id: 'p2', token: 'ann.smith', kind: 'link' },
  { partner_id: 'p3', token: 'x'.repeat(100), kind: 'link' },
]);
const customers = csvOf([
  {
    partner_id: 'p1',
    customer_id: 'u1',
    aliases: 'cus_1',
    bound_at: '2025-06-01',
    first_paid_at: '2025-06-10',
  },
  {
    partner_id: 'p2',
    customer_id: 'u2',
    aliases: '',
    bound_at: '2026-05-01',
    first_paid_at: '2026-05-01',
  },
]);
const sale = { partner_id: 'p1', customer_id: 'u1', currency: 'usd', sale_amount: '100.00' };
const commissions = csvOf([
  {
    ...sale,
    commission_id: 'c1',
    sale_id: 'ch_1|in_1',
    amount: '20.00',
    status: 'paid',
    occurred_at: '2025-06-10',
    paid_at: '2025-08-01',
  },
  {
    ...sale,
    commission_id: 'c2',
    sale_id: 'ch_2',
    amount: '20.00',
    status: 'pending',
    occurred_at: '2026-05-20',
    due_at: '2099-01-01',
  },
  {
    ...sale,
    commission_id: 'c3',
    sale_id: 'ch_3',
    amount: '20.00',
    status: 'approved',
    occurred_at: '2026-04-20',
  },
  {
    ...sale,
    commission_id: 'c4',
    sale_id: '',
    sale_amount: '',
    amount: '-5.00',
    status: 'approved',
    occurred_at: '2026-05-03',
  },
  {
    ...sale,
    commission_id: 'c5',
    sale_id: 'ch_5',
    amount: '7.00',
    status: 'void',
    occurred_at: '2026-05-03',
  },
  {
    ...sale,
    commission_id: 'c6',
    sale_id: 'ch_6',
    amount: '10.00',
    status: 'approved',
    occurred_at: '2026-05-04',
    sale_refunded: '50.00',
  },
  {
    ...sale,
    commission_id: 'c7',
    sale_id: 'ch_1',
    partner_id: 'p2',
    amount: '1.00',
    status: 'approved',
    occurred_at: '2025-06-10',
  },
  {
    ...sale,
    commission_id: 'c8',
    sale_id: 'ch_8',
    amount: '20.00',
    status: 'pending',
    occurred_at: '2026-07-01',
  },
]);
const files = { partners, links, customers, commissions };

const begin = (given: Files = files, body = {}): Promise<ImportApi> =>
  beginImport(app.deps, api, { programId: program.id, files: given, body });

async function bring(given: Files = files): Promise<ImportApi> {
  const one = await begin(given);
  await one.check();
  const applied = await one.apply();
  expect(applied.status).toBe('applied');
  return one;
}

interface Row {
  id: string;
  status: string;
  commissionType: string;
  amountCents: number;
  conversionId: string | null;
  externalTransactionId: string | null;
  partnerName: string;
  terms: object | null;
}
const listCommissions = async (): Promise<Row[]> =>
  (
    await api.get<{ data: Row[] }>(
      `/api/v1/programs/${program.id}/commissions?limit=100&sortBy=createdAt&sortOrder=asc`,
    )
  ).body.data;

const partnersHere = async () =>
  (
    await api.get<{
      data: {
        id: string;
        partnerName: string;
        referralCode: string;
        promoCodes: string[];
        status: string;
      }[];
    }>(`/api/v1/programs/${program.id}/partners?sortBy=partnerName&sortOrder=asc`)
  ).body.data;

const click = (ref: string) => app.client.post('/v1/clicks', { key: publicKey, ref });

it('asks for the sums, and books nothing before they are right', async () => {
  const one = await begin();
  expect(codeOf(await api.post(`${one.path}/apply`, { expected: [] }))).toEqual([
    409,
    'IMPORT_INVALID_STATE',
  ]);
  await one.check();
  const wrong = [{ currency: 'usd', openCents: 4_601, paidCents: 2_000 }];
  expect(codeOf(await api.post(`${one.path}/apply`, { expected: wrong }))).toEqual([
    409,
    'IMPORT_CHANGED',
  ]);
  expect(await one.expected()).toEqual([{ currency: 'usd', openCents: 4_600, paidCents: 2_000 }]);
  await query(
    db,
    `UPDATE imports SET checked_at = now() - interval '25 hours' WHERE program_id = $1`,
    [program.id],
  );
  const late = await api.post(`${one.path}/apply`, { expected: await one.expected() });
  expect(codeOf(late)).toEqual([409, 'IMPORT_CHANGED']);
});

it('books nothing before the cutover', async () => {
  const one = await begin(files, { cutover: new Date(Date.now() + 3_600_000).toISOString() });
  await one.check();
  const early = await api.post(`${one.path}/apply`, { expected: await one.expected() });
  expect(codeOf(early)).toEqual([409, 'IMPORT_CUTOVER_AHEAD']);
  expect((await one.read()).status).toBe('checked');
});

it('brings partners with their codes and ways to be paid, who read nothing of it yet', async () => {
  await bring();
  expect(await partnersHere()).toMatchObject([
    { partnerName: 'Ann', referralCode: 'ann-smith', promoCodes: ['ANN10'], status: 'approved' },
    { partnerName: 'Bob', status: 'approved' },
  ]);
  const [row] = await query<{ label: string; mails: number; claimed: null }>(
    db,
    `SELECT payout_method_label AS label, claimed_at AS claimed,
            (SELECT count(*) FROM mails WHERE workspace_id = $2) AS mails
       FROM participants WHERE program_id = $1 AND partner_name = 'Ann'`,
    [program.id, owner.workspaceId],
  );
  expect(row).toEqual({ label: 'PayPal, a***@example.com', mails: 0, claimed: null });
});

it('lets old links go on, each to its partner (imports.md, Old links)', async () => {
  await bring();
  const [ann, bob] = await partnersHere();
  const creditedTo = async (ref: string): Promise<string | null> => {
    const { body } = await click(ref);
    if (typeof body['click_id'] !== 'string') return null;
    const [row] = await query<{ id: string }>(
      db,
      'SELECT participant_id AS id FROM clicks WHERE id = $1',
      [body['click_id']],
    );
    return row?.id ?? null;
  };
  expect(await creditedTo('Ann.Smith')).toBe(ann?.id);
  expect(await creditedTo('ann.smith')).toBe(bob?.id);
  expect(await creditedTo('ANN.SMITH')).toBeNull();
  expect(await creditedTo('ANN-SMITH')).toBe(ann?.id);
  expect(await creditedTo('b')).toBe(bob?.id);
  expect(await creditedTo('B')).toBe(bob?.id);
  expect(await creditedTo('b/')).toBe(bob?.id);
  expect(await creditedTo('x'.repeat(100))).toBe(ann?.id);
  const taken = await api.patch(
    `/api/v1/programs/${program.id}/partners/${bob?.id}/referral-code`,
    {
      referralCode: 'ANN-smith',
    },
  );
  expect(codeOf(taken)).toEqual([409, 'REFERRAL_CODE_TAKEN']);
});

it('books commissions as the old system has them (imports.md, Booking)', async () => {
  await bring();
  const rows = await listCommissions();
  expect(
    rows
      .map(({ partnerName, status, commissionType, amountCents, externalTransactionId }) =>
        [partnerName, commissionType, status, amountCents, externalTransactionId].join(' '),
      )
      .sort(),
  ).toEqual([
    'Ann adjustment approved -500 ',
    'Ann imported approved 1000 ch_6',
    'Ann imported approved 2000 ch_3',
    'Ann imported paid 2000 ch_1',
    'Ann imported pending 2000 ch_2',
    'Ann imported rejected 700 ch_5',
    'Bob imported approved 100 ch_1',
  ]);
  expect(rows.filter(({ terms }) => terms !== null && 'rule' in terms)).toHaveLength(1);
  const [ann, bob] = await partnersHere();
  const balanceOf = async (id?: string) =>
    (await api.get<{ balances: object[] }>(`/api/v1/programs/${program.id}/partners/${id}/balance`))
      .body.balances;
  expect(await balanceOf(ann?.id)).toMatchObject([
    {
      currency: 'usd',
      pendingCents: 2_000,
      approvedCents: 3_000,
      paidCents: 0,
      importedCents: 6_500,
      paidElsewhereCents: 2_000,
      debtCents: 500,
    },
  ]);
  expect(await balanceOf(bob?.id)).toMatchObject([{ approvedCents: 100, importedCents: 100 }]);
});

it('books nothing twice, and tells so', async () => {
  await bring();
  const before = await listCommissions();
  const again = await begin();
  const checked = await again.check();
  expect(checked.report?.kinds.map(({ new: fresh, known }) => [fresh, known])).toEqual([
    [0, 3],
    [0, 6],
    [0, 2],
    [0, 7],
  ]);
  const applied = await again.apply();
  expect(applied.report?.problems.count).toBe(0);
  expect(await listCommissions()).toEqual(before);
});

it('follows what was paid over there meanwhile, and leaves what was decided here', async () => {
  await bring();
  const rows = await listCommissions();
  const c3 = rows.find((row) => row.externalTransactionId === 'ch_3');
  const reject = `/api/v1/programs/${program.id}/commissions/${c3?.id}/reject`;
  expect((await api.patch(reject, { reason: 'no' })).status).toBe(200);
  const moved = csvOf([
    {
      ...sale,
      commission_id: 'c2',
      sale_id: 'ch_2',
      amount: '20.00',
      status: 'paid',
      occurred_at: '2026-05-20',
    },
    {
      ...sale,
      commission_id: 'c3',
      sale_id: 'ch_3',
      amount: '20.00',
      status: 'paid',
      occurred_at: '2026-04-20',
    },
    {
      ...sale,
      commission_id: 'c6',
      sale_id: 'ch_6',
      amount: '10.00',
      status: 'void',
      occurred_at: '2026-05-04',
    },
  ]);
  const again = await begin({ commissions: moved });
  await again.check();
  const { report } = await again.apply();
  expect(report?.problems.sample).toMatchObject([{ id: 'c3', code: 'CONFLICT' }]);
  const after = await listCommissions();
  const statusOf = (sale: string) =>
    after.find((row) => row.externalTransactionId === sale)?.status;
  expect([statusOf('ch_2'), statusOf('ch_3'), statusOf('ch_6')]).toEqual([
    'paid',
    'rejected',
    'rejected',
  ]);
});

const report = (body: object) =>
  shop.post<{
    attributed: boolean;
    attribution: { reason: string; participant_id: string };
    commission: object | null;
  }>('/api/v1/conversions', {
    event_type: 'purchase',
    amount_cents: 10_000,
    currency: 'usd',
    ...body,
  });

it('goes on with a customer who was bought years ago, by the old first payment', async () => {
  await bring();
  const [ann] = await partnersHere();
  const within = await report({
    external_transaction_id: 'n1',
    customer_id: 'cus_1',
    occurred_at: '2026-06-05T00:00:00Z',
  });
  expect(within.body).toMatchObject({
    attributed: true,
    attribution: { participant_id: ann?.id, matched_by: 'customer' },
    commission: { amount_cents: expect.any(Number) },
  });
  const past = await report({
    external_transaction_id: 'n2',
    customer_id: 'u1',
    occurred_at: '2026-06-10T00:00:01Z',
  });
  expect(past.body).toMatchObject({ attributed: true, commission: null });
});

it('credits nothing that the old system has dealt with', async () => {
  await bring();
  const before = await report({
    external_transaction_id: 'n3',
    customer_id: 'u1',
    occurred_at: '2026-05-31T00:00:00Z',
  });
  expect(before.body).toMatchObject({
    attributed: false,
    attribution: { reason: 'BEFORE_CUTOVER' },
    commission: null,
  });
  const same = await report({ external_transaction_id: 'in_1', customer_id: 'u1' });
  expect(codeOf(same)).toEqual([409, 'CONVERSION_DUPLICATE']);
  const early = await report({
    external_transaction_id: 'n4',
    customer_id: 'u2',
    occurred_at: '2026-04-01T00:00:00Z',
  });
  expect(codeOf(early)).toEqual([422, 'NO_ATTRIBUTION_SIGNAL']);
  const after = await report({
    external_transaction_id: 'n5',
    customer_id: 'u2',
    occurred_at: '2026-06-02T00:00:00Z',
  });
  expect(after.body).toMatchObject({ attributed: true });
});

it('credits what the old system has dealt with to no code either, whoever’s it is', async () => {
  await bring();
  const byCode = (id: string, day: string) => {
    const told = { external_transaction_id: id, customer_id: 'u2', promo_code: 'ANN10' };
    return report({ ...told, occurred_at: `${day}T00:00:00Z` });
  };
  for (const [id, day] of [
    ['n6', '2026-05-15'],
    // Before the old system bound them, too.
    ['n7', '2026-04-15'],
  ] as const) {
    const { body } = await byCode(id, day);
    expect(body).toMatchObject({ attributed: false, attribution: { reason: 'BEFORE_CUTOVER' } });
  }
  const [ann] = await partnersHere();
  expect((await byCode('n8', '2026-06-03')).body).toMatchObject({
    ...{ attributed: true, attribution: { participant_id: ann?.id } },
  });
  const u2 = await shop.get<{ participant_id: string }>('/api/v1/customers/u2');
  expect(u2.body.participant_id).not.toBe(ann?.id);
});

it('takes off a refund of an imported sale, and not what was refunded before', async () => {
  await bring();
  const refund = async (sale: string, amount: number) => {
    const found = await shop.get<{ data: { id: string }[] }>(
      `/api/v1/conversions?external_transaction_id=${sale}`,
    );
    return shop.post(`/api/v1/conversions/${found.body.data[0]?.id}/refunds`, {
      external_refund_id: `r-${sale}`,
      amount_cents: amount,
    });
  };
  const dueOf = async (sale: string) => {
    const row = (await listCommissions()).find((one) => one.externalTransactionId === sale);
    return [row?.status, row?.amountCents];
  };
  await refund('ch_3', 5_000);
  expect(await dueOf('ch_3')).toEqual(['approved', 1_000]);
  await refund('ch_6', 2_500);
  expect(await dueOf('ch_6')).toEqual(['approved', 500]);
  await refund('ch_5', 10_000);
  expect(await dueOf('ch_5')).toEqual(['rejected', 700]);
  const [ann] = await partnersHere();
  await refund('ch_2', 10_000);
  expect(await dueOf('ch_2')).toEqual(['refunded', 0]);
  expect(ann).toBeDefined();
});

it('counts imported sales as revenue of their own day, and not as conversions', async () => {
  await bring();
  const metrics = await api.get(
    `/api/v1/analytics/metrics?programId=${program.id}&from=2025-06-01&to=2025-06-30&tz=UTC`,
  );
  expect(metrics.body['current']).toMatchObject({
    conversions: 0,
    newCustomers: 0,
    revenue: [{ currency: 'usd', amountCents: 10_000 }],
  });
});

it('pays what is open, and nothing that was paid over there', async () => {
  await bring();
  const preview = await api.post<{ items: { partnerName: string; amountCents: number }[] }>(
    '/api/v1/payouts/preview',
    { programId: program.id },
  );
  const byName = preview.body.items.sort((a, b) => a.partnerName.localeCompare(b.partnerName));
  expect(byName).toMatchObject([
    { partnerName: 'Ann', amountCents: 2_500 },
    { partnerName: 'Bob', amountCents: 100 },
  ]);
});

it('takes over a sale that is here without a commission, and leaves one that has one', async () => {
  await bring({ partners, links });
  const [ann] = await partnersHere();
  const code = { promo_code: 'ANN10', occurred_at: '2026-05-05T00:00:00Z' };
  const known = await report({ external_transaction_id: 'ch_3', ...code });
  expect(known.body.attributed).toBe(true);
  const missed = await report({ external_transaction_id: 'ch_2', promo_code: 'NOBODY' });
  expect(missed.body.attributed).toBe(false);
  const again = await begin({ commissions });
  const checked = await again.check();
  expect(checked.report?.problems.sample).toMatchObject([{ id: 'c3', code: 'SALE_KNOWN' }]);
  expect(checked.report?.money).toMatchObject([{ knownHereCents: 2_000 }]);
  await again.apply();
  const found = await shop.get<{ data: object[] }>(
    '/api/v1/conversions?external_transaction_id=ch_2',
  );
  expect(found.body.data).toMatchObject([
    {
      attributed: true,
      source: 'api',
      attribution: { matched_by: 'import', participant_id: ann?.id },
    },
  ]);
});

it('stops between two batches, and goes on to the same report (imports.md, The road of an import)', async () => {
  const one = await begin();
  await one.check();
  const asked = await api.post(`${one.path}/apply`, { expected: await one.expected() });
  expect(asked.status).toBe(202);
  const stopped = await api.post(`${one.path}/cancel`);
  expect(stopped.body['status']).toBe('stopped');
  expect(
    codeOf(await api.post(`/api/v1/programs/${program.id}/imports`, { source: 'csv', cutover })),
  ).toEqual([409, 'IMPORT_OPEN']);
  const applied = await one.apply();
  expect(applied.report?.kinds.map(({ new: fresh }) => fresh)).toEqual([3, 6, 2, 7]);
});

const stateOf = async (): Promise<object> => {
  const [row] = await query<object>(
    db,
    `SELECT (SELECT count(*) FROM participants WHERE program_id = $1) AS participants,
            (SELECT count(*) FROM referral_tokens WHERE program_id = $1) AS tokens,
            (SELECT count(*) FROM promo_codes WHERE program_id = $1) AS codes,
            (SELECT count(*) FROM customers WHERE program_id = $1) AS customers,
            (SELECT count(*) FROM commissions WHERE program_id = $1) AS commissions,
            (SELECT count(*) FROM conversions WHERE program_id = $1) AS conversions,
            (SELECT count(*) FROM imported_records WHERE program_id = $1) AS records,
            (SELECT count(*) FROM import_rows WHERE workspace_id = $2)
              + (SELECT count(*) FROM import_sales WHERE workspace_id = $2)
              + (SELECT count(*) FROM import_files WHERE workspace_id = $2) AS read,
            (SELECT coalesce(sum(amount_cents), 0) FROM ledger_entries WHERE program_id = $1) AS ledger`,
    [program.id, owner.workspaceId],
  );
  return row ?? {};
};

it('takes back what was booked, and books it again (imports.md, Taking it back)', async () => {
  const empty = await stateOf();
  const one = await bring();
  const full = await stateOf();
  const asked = await api.post(`${one.path}/undo`);
  expect(asked.body['status']).toBe('undoing');
  await workOn(app.deps, one.path.split('/').at(-1) ?? '');
  expect((await one.read()).status).toBe('undone');
  expect(await stateOf()).toEqual(empty);
  await bring();
  const { ledger, ...rest } = full as { ledger: number };
  expect(await stateOf()).toEqual({ ...rest, ledger });
});

it('leaves months that are closed as they were, each sum with its entries', async () => {
  app.deps.clock.set(new Date('2026-10-05T00:00:00Z'));
  const one = await bring();
  const october = async () => {
    const asked = `programId=${program.id}`;
    const read = async (path: string) =>
      (await api.get<{ data: object[]; total: number }>(path)).body;
    const statement = await read(`/api/v1/payouts/statement?year=2026&month=10&${asked}`);
    const ledger = await read(`/api/v1/ledger?to=2026-10-31&${asked}`);
    return {
      totals: (statement as unknown as { totals: object[] }).totals,
      rows: statement.data.map((row) => ({ ...row, partnerName: '', partnerEmail: '' })),
      total: statement.total,
      entries: ledger.data.map((row) => ({ ...row, partnerName: '', reason: '' })),
    };
  };
  const before = await october();
  expect(before.rows.length).toBeGreaterThan(0);
  app.deps.clock.set(new Date('2026-11-02T00:00:00Z'));
  await api.post(`${one.path}/undo`);
  await workOn(app.deps, one.path.split('/').at(-1) ?? '');
  expect((await one.read()).status).toBe('undone');
  expect(await october()).toEqual(before);
});

it('takes nothing back once something of it is in use', async () => {
  const one = await bring();
  await click('b');
  const refused = await api.post(`${one.path}/undo`);
  expect(codeOf(refused)).toEqual([409, 'IMPORT_IN_USE']);
  expect(refused.body['message']).toMatch(/ taken back: 1 clicked\.$/);
  expect(refused.body['counts']).toEqual({
    clicked: 1,
    earned: 0,
    refunded: 0,
    decided: 0,
    claimed: 0,
    paid: 0,
  });
  expect((await one.read()).status).toBe('applied');
});

describe('what came into use between the asking and the undoing', () => {
  const undo = async (one: ImportApi): Promise<ImportDto> => {
    await workOn(app.deps, one.path.split('/').at(-1) ?? '');
    return one.read();
  };
  const meanwhile = {
    code: 'IMPORT_IN_USE',
    message: expect.stringMatching(/ stays\.$/) as string,
  };

  it('stays: a payout pays what the books still owe', async () => {
    const one = await bring();
    expect((await api.post(`${one.path}/undo`)).status).toBe(202);
    const made = { programId: program.id };
    const { body: payout } = await api.post<Payout>('/api/v1/payouts', made);
    const reserved = payout.items.reduce((sum, { amountCents }) => sum + amountCents, 0);
    expect(reserved).toBeGreaterThan(0);
    expect(await undo(one)).toMatchObject({ status: 'undone', error: meanwhile });
    await api.post(`/api/v1/payouts/${payout.id}/complete`, {});
    const [row] = await query<{ sum: number; paid: number }>(
      db,
      `SELECT sum(amount_cents)::bigint AS sum,
              (-sum(amount_cents) FILTER (WHERE type = 'payout'))::bigint AS paid
         FROM ledger_entries WHERE program_id = $1`,
      [program.id],
    );
    expect(row).toEqual({ sum: 0, paid: reserved });
  });

  it('stays: a partner who sells, with their code', async () => {
    const one = await bring();
    expect((await api.post(`${one.path}/undo`)).status).toBe(202);
    const sale = { promo_code: 'ANN10', amount_cents: 10_000, currency: 'usd' };
    const told = { external_transaction_id: 'meanwhile', event_type: 'purchase', ...sale };
    expect((await shop.post('/api/v1/conversions', told)).status).toBe(201);
    expect(await undo(one)).toMatchObject({ status: 'undone', error: meanwhile });
    const path = `/api/v1/programs/${program.id}/partners`;
    const { body } = await api.get<{ data: { partnerName: string; promoCodes: string[] }[] }>(path);
    expect(body.data).toMatchObject([{ partnerName: 'Ann', promoCodes: ['ANN10'] }]);
    const next = { ...told, external_transaction_id: 'later' };
    expect((await shop.post('/api/v1/conversions', next)).body).toMatchObject({ attributed: true });
  });

  it('is no reason where a payout was cancelled before it was asked: it is in use then', async () => {
    const one = await bring();
    const made = { programId: program.id };
    const { body: payout } = await api.post<Payout>('/api/v1/payouts', made);
    await api.post(`/api/v1/payouts/${payout.id}/cancel`, {});
    const refused = await api.post(`${one.path}/undo`);
    expect(codeOf(refused)).toEqual([409, 'IMPORT_IN_USE']);
    expect(refused.body['counts']).toMatchObject({ paid: payout.items.length });
  });
});

it('pays by the way that was told, and leaves it out where that is not enough', async () => {
  await bring();
  const asked = { programId: program.id, requireConfirmed: true };
  const preview = await api.post<{ leftOut: object[] }>('/api/v1/payouts/preview', asked);
  expect(preview.body.leftOut).toMatchObject([{ partnerName: 'Ann', why: 'unconfirmed_method' }]);
  const payout = await api.post<{ items: object[] }>('/api/v1/payouts', { programId: program.id });
  expect(payout.body.items).toMatchObject([
    { partnerName: 'Ann', method: { type: 'paypal', label: 'PayPal, a***@example.com' } },
    { partnerName: 'Bob', method: null },
  ]);
});

it('mails nobody before they are told, and each of them once (imports.md, Telling the partners)', async () => {
  const one = await bring();
  const mailsTo = async (): Promise<string[]> =>
    (
      await query<{ recipient: string }>(
        db,
        `SELECT recipient FROM mails WHERE workspace_id = $1 AND type = 'partner.added' ORDER BY 1`,
        [owner.workspaceId],
      )
    ).map(({ recipient }) => recipient);
  const message = 'We have moved. See https://elsewhere.example';
  const dry = await api.post<AnnouncedDto>(`${one.path}/announce`, { dryRun: true, message });
  expect([dry.status, dry.body.count]).toEqual([202, 2]);
  expect(dry.body.mail?.subject).toContain('You are a partner of ');
  expect(dry.body.mail?.text).toContain('We have moved. See ');
  expect(dry.body.mail?.text).not.toContain('elsewhere.example');
  expect(await mailsTo()).toEqual([]);
  await api.post(`${one.path}/announce`, { message: 'We have moved.' });
  await workOn(app.deps, one.path.split('/').at(-1) ?? '');
  expect(await mailsTo()).toEqual(['ann@example.com', 'bob@example.com']);
  expect((await one.read()).announced).toMatchObject({ count: 2 });
  const again = await api.post(`${one.path}/announce`, {});
  expect(again.body).toEqual({ dryRun: false, count: 0, mail: null });
});
