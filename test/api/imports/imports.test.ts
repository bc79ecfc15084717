import type { Db } from '../../../entities/database/sql';
import { query } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import type { ImportFileDto } from '../../../api/imports/import-files.dto';
import type { ImportDto } from '../../../api/imports/imports.dto';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { buildMember, type BuiltMember } from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { beginImport, csvOf, cutover, workOn } from '../../support/imports';

const app = useApp();
let db: Db;
let api: Caller;
let owner: BuiltMember;
let program: Program;
let path: string;

beforeEach(async () => {
  db = app.deps.db.manager;
  owner = await buildMember(db);
  api = await callerOf(app, owner);
  program = await buildProgram(db, { workspaceId: owner.workspaceId, currency: 'eur' });
  path = `/api/v1/programs/${program.id}/imports`;
});

const begin = (body: object = {}, files = {}) =>
  beginImport(app.deps, api, { programId: program.id, body, files });

it('begins as a draft', async () => {
  const made = await api.post<ImportDto>(path, { source: 'csv', cutover });
  expect(made.status).toBe(201);
  expect(made.headers.get('location')).toBe(`${path}/${made.body.id}`);
  expect(made.body).toEqual({
    id: expect.any(String),
    source: 'csv',
    name: 'csv',
    status: 'draft',
    cutover,
    currency: 'eur',
    only: null,
    mapping: {},
    statuses: {},
    report: null,
    error: null,
    groupBy: null,
    progress: null,
    announced: null,
    createdAt: expect.any(String),
    appliedAt: null,
  });
  const list = await api.get<{ data: ImportDto[]; total: number }>(path);
  expect(list.body).toMatchObject({ total: 1, data: [{ id: made.body.id }] });
});

it.each([
  [{ source: 'sheets' }, 'source'],
  [{ cutover: '2026-01-01' }, 'cutover'],
  [{ name: 'My Old' }, 'name'],
  [{ currency: 'coins' }, 'currency'],
  [{ mapping: { sales: {} } }, 'mapping.sales'],
  [{ mapping: { partners: { iban: 'IBAN' } } }, 'mapping.partners.iban'],
  [{ mapping: { partners: { email: '' } } }, 'mapping.partners.email'],
  [{ statuses: { late: 'later' } }, 'statuses.late'],
])('refuses %j by its field', async (odd, field) => {
  const answer = await api.post(path, { source: 'csv', cutover, ...odd });
  expect(answer.status).toBe(400);
  expect(answer.body['details']).toMatchObject([{ field }]);
});

it('a programme has one open import at a time, and the next once that is cancelled', async () => {
  const first = await begin();
  const second = await api.post(path, { source: 'csv', cutover });
  expect(codeOf(second)).toEqual([409, 'IMPORT_OPEN']);
  const cancelled = await api.post(`${first.path}/cancel`);
  expect([cancelled.status, cancelled.body['status']]).toEqual([202, 'cancelled']);
  expect(codeOf(await api.post(`${first.path}/cancel`))).toEqual([409, 'IMPORT_INVALID_STATE']);
  expect((await api.post(path, { source: 'csv', cutover })).status).toBe(201);
});

it('names the line of the whole file, of one that was cut', async () => {
  const given = await begin({}, { partners });
  const cut = 'partner_id,email\np8,ok@example.com\np9,nobody';
  await given.put('partners', cut, '?part=2&linesBefore=150000');
  await given.check();
  const sample = (await given.read()).report?.problems.sample ?? [];
  expect(sample.map(({ file, line }) => [file, line])).toContainEqual(['partners-2', 150_003]);
  const odd = await api.put(`${given.path}/files/links?linesBefore=-1`, links, {
    headers: { 'Content-Type': 'text/csv' },
  });
  expect(odd.status).toBe(400);
});

it('takes no column whose name is longer than any: each is compared with all that are known', async () => {
  const given = await begin();
  const put = (name: string) =>
    api.put(`${given.path}/files/partners`, `partner_id,${name}\np1,x`, {
      headers: { 'Content-Type': 'text/csv' },
    });
  expect((await put('n'.repeat(200))).status).toBe(204);
  const refused = await put('n'.repeat(201));
  expect([refused.status, refused.body]).toMatchObject([400, { details: [{ field: 'body' }] }]);
});

it('shows what was given, and takes a part away', async () => {
  const given = await begin({}, { links, partners });
  await given.put('links', 'partner_id,token\np9,later', '?part=3');
  type Answer = { files: ImportFileDto[] };
  const shown = await api.get<Answer>(`${given.path}/files`);
  const parts = shown.body.files.map(({ kind, part, rows }) => [kind, part, rows]);
  expect(parts).toEqual([
    ['links', 1, 3],
    ['links', 3, 1],
    ['partners', 1, 6],
  ]);
  expect(shown.body.files.map(({ columns }) => columns[1])).toEqual([
    { name: 'token', sample: ['ann.smith', 'ANN10', 'nobody'] },
    { name: 'token', sample: [] },
    { name: 'email', sample: ['ann@example.com', 'bob@example.com', 'ANN@example.com'] },
  ]);
  await given.check();
  expect((await api.delete(`${given.path}/files/links?part=3`)).status).toBe(204);
  expect((await given.read()).status).toBe('draft');
  const gone = await api.delete(`${given.path}/files/links?part=3`);
  expect(codeOf(gone)).toEqual([404, 'NOT_FOUND']);
  expect((await api.get<Answer>(`${given.path}/files`)).body.files).toHaveLength(2);
  await api.post(`${given.path}/cancel`);
  expect((await api.get<Answer>(`${given.path}/files`)).body.files).toEqual([]);
  const late = await api.delete(`${given.path}/files/links`);
  expect(codeOf(late)).toEqual([409, 'IMPORT_INVALID_STATE']);
});

it('an import is for admins, of programmes that are open, and of one’s own', async () => {
  const { path: one } = await begin();
  const member = await callerOf(
    app,
    await buildMember(db, { workspaceId: owner.workspaceId, role: 'member' }),
  );
  expect(codeOf(await member.get(one))).toEqual([403, 'FORBIDDEN']);
  const other = await buildProgram(db, { workspaceId: owner.workspaceId });
  const elsewhere = one.replace(program.id, other.id);
  expect(codeOf(await api.get(elsewhere))).toEqual([404, 'IMPORT_NOT_FOUND']);
  await api.post(`/api/v1/programs/${other.id}/archive`);
  const answer = await api.post(`/api/v1/programs/${other.id}/imports`, { source: 'csv', cutover });
  expect(codeOf(answer)).toEqual([409, 'PROGRAM_ARCHIVED']);
});

const partners = csvOf([
  { partner_id: 'p1', email: 'ann@example.com', name: 'Ann', status: 'active' },
  { partner_id: 'p2', email: 'bob@example.com', name: 'Bob', status: 'blocked' },
  { partner_id: 'p3', email: 'ANN@example.com', name: 'Ann again', status: 'active' },
  { partner_id: 'p4', email: 'nobody', name: 'Nobody', status: 'active' },
  { partner_id: 'p5', email: 'idle@example.com', name: 'Idle', status: 'rejected' },
  { partner_id: 'p1', email: 'again@example.com', name: 'Again', status: 'active' },
]);
const links = csvOf([
  { partner_id: 'p1', token: 'ann.smith', kind: 'link' },
  { partner_id: 'p1', token: 'ANN10', kind: 'code' },
  { partner_id: 'p4', token: 'nobody', kind: 'link' },
]);
const customers = csvOf([
  {
    partner_id: 'p1',
    customer_id: 'u1',
    aliases: 'cus_1',
    bound_at: '2025-01-01',
    first_paid_at: '2025-01-02',
  },
]);
const sale = { partner_id: 'p1', customer_id: 'u1', currency: 'usd', sale_amount: '100.00' };
const commissions = csvOf([
  {
    ...sale,
    commission_id: 'c1',
    sale_id: 'ch_1',
    amount: '20.00',
    status: 'paid',
    occurred_at: '2025-01-02',
  },
  {
    ...sale,
    commission_id: 'c2',
    sale_id: 'ch_2',
    amount: '20.00',
    status: 'pending',
    occurred_at: '2026-05-02',
  },
  {
    ...sale,
    commission_id: 'c3',
    sale_id: 'ch_3',
    amount: '20.00',
    status: 'pending',
    occurred_at: '2026-07-02',
  },
  {
    ...sale,
    commission_id: 'c4',
    sale_id: 'ch_4',
    amount: '20.001',
    status: 'pending',
    occurred_at: '2026-05-02',
  },
  {
    ...sale,
    commission_id: 'c5',
    sale_id: '',
    sale_amount: '',
    amount: '-5.00',
    status: 'approved',
    occurred_at: '2026-05-03',
  },
  {
    ...sale,
    commission_id: 'c6',
    sale_id: 'ch_6',
    amount: '7.00',
    status: 'void',
    occurred_at: '2026-05-03',
  },
]);
const files = { partners, links, customers, commissions };

it('reads files, tells what they would bring, and changes nothing else (imports.md, What a check tells)', async () => {
  const one = await begin({}, files);
  const checked = await one.check();
  expect(checked.status).toBe('checked');
  expect(checked.report).toEqual({
    kinds: [
      { kind: 'partners', read: 6, new: 3, known: 0, skipped: 3 },
      { kind: 'links', read: 3, new: 2, known: 0, skipped: 1 },
      { kind: 'customers', read: 1, new: 1, known: 0, skipped: 0 },
      { kind: 'commissions', read: 6, new: 4, known: 0, skipped: 2 },
    ],
    money: [
      {
        currency: 'usd',
        openCents: 1_500,
        paidCents: 2_000,
        voidCents: 700,
        negativeCents: -500,
        afterCutoverCents: 2_000,
        knownHereCents: 0,
      },
    ],
    problems: {
      count: 4,
      sample: [
        {
          file: 'partners-1',
          line: 5,
          id: 'p4',
          code: 'EMAIL_INVALID',
          message: expect.any(String),
        },
        {
          file: 'partners-1',
          line: 7,
          id: 'p1',
          code: 'DUPLICATE_ID',
          message: expect.any(String),
        },
        {
          file: 'links-1',
          line: 4,
          id: 'link:nobody',
          code: 'PARTNER_UNKNOWN',
          message: expect.any(String),
        },
        {
          file: 'commissions-1',
          line: 5,
          id: 'c4',
          code: 'MONEY_INVALID',
          message: expect.any(String),
        },
      ],
    },
    warnings: { count: 0, sample: [] },
    merged: 1,
    params: [],
    terms: null,
  });
  const [counts] = await query<{ participants: number; commissions: number }>(
    db,
    `SELECT (SELECT count(*) FROM participants WHERE program_id = $1) AS participants,
            (SELECT count(*) FROM commissions WHERE program_id = $1) AS commissions`,
    [program.id],
  );
  expect(counts).toEqual({ participants: 0, commissions: 0 });
  const problems = await api.get(`${one.path}/problems`);
  expect(problems.text.split('\r\n')[1]).toBe(
    'partners-1,5,p4,EMAIL_INVALID,The e-mail address is none.',
  );
  expect(problems.text).not.toContain('example.com');
});

it('keeps what was read encrypted, and none of it once it is cancelled', async () => {
  const one = await begin({}, files);
  await one.check();
  const importId = one.path.split('/').at(-1);
  const stored = async (): Promise<string> =>
    JSON.stringify([
      await query(
        db,
        `SELECT c.* FROM import_files AS f JOIN import_chunks AS c ON c.file_id = f.id
          WHERE f.import_id = $1`,
        [importId],
      ),
      await query(db, 'SELECT * FROM import_rows WHERE import_id = $1', [importId]),
    ]);
  expect(await stored()).toContain('v1.');
  expect(await stored()).not.toMatch(/@/);
  await api.post(`${one.path}/cancel`);
  await workOn(app.deps, importId ?? '');
  expect(await stored()).toBe('[[],[]]');
});

it('fails where a column is missing, and goes on with a mapping (imports.md, Files)', async () => {
  const one = await begin({}, { partners: 'Affiliate;email\np1;ann@example.com' });
  const failed = await one.check();
  expect([failed.status, failed.report]).toEqual(['failed', null]);
  expect(failed.error).toEqual({
    code: 'IMPORT_COLUMNS',
    message: 'partners, part 1: there is no column partner_id.',
  });
  const mapping = { partners: { partner_id: 'affiliate' } };
  const changed = await api.patch<ImportDto>(one.path, { mapping });
  expect([changed.body.status, changed.body.error]).toEqual(['draft', null]);
  const checked = await one.check();
  expect(checked.report?.kinds[0]).toMatchObject({ kind: 'partners', read: 1, new: 1 });
});

it('an import is a draft again with another file, and has nothing to read without any', async () => {
  const one = await begin();
  expect(codeOf(await api.post(`${one.path}/check`))).toEqual([422, 'IMPORT_EMPTY']);
  await one.put('partners', partners);
  await one.check();
  await one.put('partners', 'partner_id,email\np9,zoe@example.com', '?part=2');
  expect((await one.read()).status).toBe('draft');
  const checked = await one.check();
  expect(checked.report?.kinds[0]).toMatchObject({ read: 7 });
});

it.each([
  ['a kind that there is none of', 'sales', partners, '', [404, 'NOT_FOUND']],
  ['a part beyond the twentieth', 'partners', partners, '?part=21', [400, 'VALIDATION_ERROR']],
  ['no table', 'partners', 'a,b\n"c', '', [400, 'VALIDATION_ERROR']],
  ['nothing', 'partners', '', '', [400, 'VALIDATION_ERROR']],
])('refuses %s', async (_, kind, csv, part, expected) => {
  const one = await begin();
  expect(codeOf(await one.put(kind, csv, part))).toEqual(expected);
});

it('refuses rows beyond 200,000, and keeps nothing of them', async () => {
  const one = await begin();
  const many = `partner_id,email\n${'p,a@b.co\n'.repeat(200_001)}`;
  const answer = await one.put('partners', many);
  expect(answer.body['details']).toEqual([{ field: 'body', message: 'has more than 200000 rows' }]);
  expect(codeOf(await api.post(`${one.path}/check`))).toEqual([422, 'IMPORT_EMPTY']);
});

it('gives the rows of a buyer who is erased away, and only theirs', async () => {
  const sold = (id: string, customer_id: string) => ({
    commission_id: id,
    partner_id: 'p1',
    customer_id,
    sale_id: `sale-${id}`,
    sale_amount: '10.00',
    amount: '1.00',
    currency: 'usd',
    status: 'approved',
    occurred_at: '2026-01-01',
  });
  const one = await begin(
    {},
    {
      partners: 'partner_id,email\np1,ann@example.com',
      customers: csvOf([
        { partner_id: 'p1', customer_id: 'buyer-1', aliases: 'cus_zqgone|other' },
        { partner_id: 'p1', customer_id: 'zq@buyer.example', aliases: '' },
        { partner_id: 'p1', customer_id: 'buyer-2', aliases: 'cus_stays' },
      ]),
      commissions: csvOf([
        sold('c1', 'buyer-1'),
        sold('c2', 'buyer-2'),
        sold('c3', 'cus_zqgone'),
        sold('c4', 'zq@buyer.example'),
      ]),
    },
  );
  await one.check();
  const customersOf = () =>
    query<{ kind: string; customer: string | null }>(
      db,
      `SELECT kind, fields->>'customerId' AS customer FROM import_rows
        WHERE import_id = $1 AND kind IN ('customers', 'commissions') ORDER BY kind, n`,
      [one.path.split('/').at(-1)],
    );
  const erase = (body: object) => api.post('/api/v1/gdpr/customer-erasure', body);
  expect((await erase({ customerId: 'cus_zqgone' })).status).toBe(200);
  expect((await erase({ email: 'zq@buyer.example' })).status).toBe(200);
  expect((await customersOf()).map(({ kind, customer }) => [kind, customer])).toEqual([
    ['commissions', null],
    ['commissions', 'buyer-2'],
    ['commissions', null],
    ['commissions', null],
    ['customers', 'buyer-2'],
  ]);
  // The file does not bring the address back.
  const checked = await one.check();
  expect(checked.report?.kinds[2]).toMatchObject({ kind: 'customers', read: 2 });
});

it('suggests what columns of a known system mean, which the import takes as they are (imports.md, Files)', async () => {
  const files = {
    partners: 'ID,Name,Email,Status,Enrolled at\npn_1,Ann,ann@example.com,approved,2025-01-01',
    commissions:
      'ID,Partner ID,Earnings,Currency,Status,Created at\ncm_1,pn_1,1999,usd,processed,2025-02-01\ncm_2,pn_1,5,usd,fraud,2025-02-01',
  };
  const one = await beginImport(app.deps, api, { programId: program.id, files });
  const { body } = await api.get<{ suggestion: { mapping: object; statuses: object } }>(
    `${one.path}/files`,
  );
  expect(body.suggestion).toMatchObject({
    system: 'Dub',
    mapping: {
      partners: { partner_id: 'ID', created_at: 'Enrolled at' },
      commissions: { amount_cents: 'Earnings' },
    },
  });
  const { mapping, statuses } = body.suggestion;
  expect((await api.patch(one.path, { mapping, statuses })).status).toBe(200);
  const checked = await one.check();
  expect([checked.error, checked.report?.problems.count]).toEqual([null, 0]);
  expect(checked.report?.money).toMatchObject([{ openCents: 1_999, voidCents: 5 }]);
  const after = await api.get(`${one.path}/files`);
  expect(after.body['suggestion']).toBeNull();
  await api.post(`${one.path}/cancel`);
});
