import { newId } from '../../../entities/ids';
import { query, type Db } from '../../../entities/database/sql';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { codeOf, type Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import {
  buildMember,
  buildPartner,
  signIn,
  testPassword,
  type BuiltMember,
} from '../../support/build/accounts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { callerOf } from '../../support/callers';
import { eventually } from '../../support/eventually';
import { waitsForLock } from '../../support/faults/waits-for-lock';
import { holdTransaction } from '../../support/postgres/held-transaction';

const app = useApp();
let db: Db;
let api: Caller;
let owner: BuiltMember;
let program: Program;

beforeAll(async () => {
  db = app.deps.db.manager;
});
beforeEach(async () => {
  owner = await buildMember(db);
  api = await callerOf(app, owner);
  program = await buildProgram(db, { workspaceId: owner.workspaceId });
});

interface Item {
  id: string;
  reference: string;
  partnerName: string;
  status: string;
  transactionId: string | null;
  exportedAt: string | null;
  paidAt: string | null;
  method: object | null;
}
interface Payout {
  id: string;
  status: string;
  items: Item[];
}
interface Results {
  rows: number;
  changes: { line: number; itemId: string; from: string; to: string }[];
  unchanged: number;
  skipped: number;
  problemCount: number;
  problems: { line: number; message: string }[];
}

/** A partner with one approved commission and a way to be paid. */
async function owed(partnerName: string, method: object | null, currency = 'usd') {
  const partner = await buildPartner(db, { name: partnerName });
  const participant = await buildParticipant(db, {
    program,
    partnerId: partner.id,
    partnerName,
    partnerEmail: partner.email,
  });
  const portal = await callerOf(app, partner);
  const say = (said: object) =>
    portal.put('/api/v1/partner/payout-method', { method: said, password: testPassword });
  if (method) await say(method);
  await buildCommission(db, {
    program,
    participant,
    status: 'approved',
    conversionCurrency: currency,
  });
  return { participant, partner, portal, say };
}

/** The same item of a payout for so many more partners, who are paid by Wise. */
async function copyItem(payoutId: string, count: number) {
  const ids = Array.from({ length: count }, () => newId());
  const method = JSON.stringify({ type: 'wise', email: 'more@wise.example', name: 'More' });
  const boxes = ids.map((id) =>
    app.deps.vault.encrypt(method, ['partner_accounts.payout_method', id]),
  );
  await db.query(
    `WITH more AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS m (id, box)),
       one AS (SELECT i AS item, p AS participant
                 FROM payout_items AS i JOIN participants AS p ON p.id = i.participant_id
                WHERE i.payout_id = $1),
       people AS (INSERT INTO participants SELECT (jsonb_populate_record(participant,
         jsonb_build_object('id', m.id, 'partner_id', m.id))).* FROM one, more AS m)
     INSERT INTO payout_items SELECT (jsonb_populate_record(item, jsonb_build_object('id', m.id,
         'participant_id', m.id, 'reference', m.id, 'method_encrypted', m.box,
         'method_account_id', m.id))).* FROM one, more AS m`,
    [payoutId, ids, boxes],
  );
}

const paypal = (email: string) => ({ type: 'paypal', email });
const make = async () => {
  const body = { programId: program.id, reference: 'March 2026' };
  return (await api.post<Payout>('/api/v1/payouts', body)).body;
};
const read = async (id: string) => (await api.get<Payout>(`/api/v1/payouts/${id}`)).body;
const file = (id: string, rest: string) => api.get(`/api/v1/payouts/${id}/files/${rest}`);
const upload = (id: string, csv: string, dryRun = true) =>
  api.post<Results>(`/api/v1/payouts/${id}/results?dryRun=${dryRun}`, csv, {
    headers: { 'Content-Type': 'text/csv' },
  });
/** Bytes as they are, which no client of ours would send. */
async function uploadBytes(id: string, body: Buffer<ArrayBuffer>): Promise<Response> {
  const { accessToken } = await signIn(app.deps, owner);
  return fetch(`${app.client.url}/api/v1/payouts/${id}/results`, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/csv',
      'X-Mode': 'live',
      Authorization: `Bearer ${accessToken}`,
    },
    body,
  });
}
const itemOf = ({ items }: Payout, name: string): Item =>
  items.find(({ partnerName }) => partnerName === name) as Item;

it('gives each processor its own file, and notes what a file has held (payouts.md, Files)', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  await owed('=Wim', { type: 'wise', email: 'wim@wise.example', name: 'Wim Wise' });
  await owed('Nobody', null);
  const payout = await make();
  const [anna, wim] = [itemOf(payout, 'Anna'), itemOf(payout, '=Wim')];

  const toPayPal = await file(payout.id, 'paypal');
  expect(toPayPal.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(toPayPal.headers.get('x-items-left-out')).toBe('2');
  expect(toPayPal.text).toBe(`anna@pay.example,20.00,USD,${anna.reference},March 2026,PAYPAL\r\n`);
  const toWise = await file(payout.id, 'wise?sourceCurrency=eur');
  expect(toWise.text).toBe(
    'name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency\r\n' +
      `Wim Wise,wim@wise.example,${wim.reference},PERSON,target,20.00,EUR,USD\r\n`,
  );
  const after = await read(payout.id);
  expect(itemOf(after, 'Anna').exportedAt).not.toBeNull();
  expect(itemOf(after, 'Nobody').exportedAt).toBeNull();

  const generic = await file(payout.id, 'generic');
  expect(generic.headers.get('x-items-left-out')).toBe('0');
  const [header, ...rows] = generic.text.trim().split('\r\n');
  expect(header).toBe(
    'itemReference,partnerName,partnerEmail,method,recipient,amount,currency,reference',
  );
  expect(rows).toHaveLength(3);
  // A spreadsheet would run the name.
  expect(generic.text).toContain(",'=Wim,");
  const noted = itemOf(await read(payout.id), 'Anna').exportedAt;
  expect(noted).toBe(itemOf(after, 'Anna').exportedAt);
});

it('pays what was said when the payout was made, whatever is said later (payouts.md, How a partner is paid)', async () => {
  const anna = await owed('Anna', paypal('anna@pay.example'));
  const nobody = await owed('Nobody', null);
  const payout = await make();
  await anna.say({ type: 'wise', email: 'anna@elsewhere.example', name: 'Anna' });
  await nobody.say(paypal('late@pay.example'));
  for (const format of ['paypal', 'generic']) {
    const { text } = await file(payout.id, format);
    expect(text).toContain('anna@pay.example');
    expect(text).not.toMatch(/elsewhere|late@/);
  }
  expect((await api.get(`/api/v1/payouts/${payout.id}/export`)).text).not.toMatch(
    /elsewhere|late@/,
  );
  await anna.portal.delete('/api/v1/partner/payout-method', { body: { password: testPassword } });
  expect((await file(payout.id, 'paypal')).text).toContain('anna@pay.example');
  const after = await read(payout.id);
  expect(itemOf(after, 'Anna').method).toEqual({
    type: 'paypal',
    label: 'PayPal, a***@pay.example',
  });
  expect(itemOf(after, 'Nobody').method).toBeNull();
  const report = `Currency,Gross,To Email Address,Status,Transaction ID\nUSD,-20.00,anna@pay.example,Completed,T1`;
  expect((await upload(payout.id, report)).body.changes).toMatchObject([
    { itemId: itemOf(payout, 'Anna').id, to: 'paid' },
  ]);
});

it('an export with whole account numbers is a file: cancelling asks twice', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id } = await make();
  const { text } = await api.get(`/api/v1/payouts/${id}/export`);
  expect(text).toContain('anna@pay.example');
  expect(itemOf(await read(id), 'Anna').exportedAt).not.toBeNull();
  const cancelled = await api.post(`/api/v1/payouts/${id}/cancel`);
  expect(codeOf(cancelled)).toEqual([409, 'PAYOUT_ITEMS_EXPORTED']);
  const sure = await api.post(`/api/v1/payouts/${id}/cancel`, { confirmExported: true });
  expect(sure.status).toBe(200);
});

it('the first transaction of an item that is known is added, and no other', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id, items } = await make();
  const mark = (body: object) =>
    api.post<Payout>(`/api/v1/payouts/${id}/items/${String(items[0]?.id)}/mark`, body);
  await api.post(`/api/v1/payouts/${id}/complete`);
  const [before] = (await read(id)).items;
  const named = await mark({ status: 'paid', transactionId: 'T1' });
  expect([named.status, named.body.items[0]]).toMatchObject([
    200,
    { status: 'paid', transactionId: 'T1', paidAt: before?.paidAt },
  ]);
  expect((await mark({ status: 'paid', transactionId: 'T1' })).status).toBe(200);
  const other = await mark({ status: 'paid', transactionId: 'T2' });
  expect([other.status, other.text]).toEqual([
    409,
    expect.stringContaining('PAYOUT_ITEM_INVALID_TRANSITION'),
  ]);
});

it('lets no name and no note out of its cell, and none run as a formula', async () => {
  await owed('=Wim "W", Ltd', { type: 'other', text: '+4917012345678' });
  await owed('Pat', { type: 'other', text: '@pat' });
  const body = { programId: program.id, reference: '=1+1", \r\n@x' };
  const { id, items } = (await api.post<Payout>('/api/v1/payouts', body)).body;
  // References are no longer than PayPal takes its customer's id, and without spaces.
  for (const { reference } of items) expect(reference).toMatch(/^\S{1,30}$/);

  const { text } = await file(id, 'generic');
  expect(text.split('\r\n')).toHaveLength(4);
  expect(text).toContain(',"\'=Wim ""W"", Ltd",');
  expect(text).toContain(`,"'=1+1"", @x"\r\n`);
  // A telephone number is one; a handle might be a function.
  expect(text).toContain(',other,+4917012345678,20.00,USD,');
  expect(text).toContain(",other,'@pat,20.00,USD,");
});

it('names the next part of a file that is full', async () => {
  await owed('Wim', { type: 'wise', email: 'wim@wise.example', name: 'Wim' });
  const { id } = await make();
  await copyItem(id, 1_000);
  const first = await file(id, 'wise?sourceCurrency=eur');
  expect(first.text.trim().split('\r\n')).toHaveLength(1_001);
  const next = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  const second = await api.get(next);
  expect([second.status, second.headers.get('link')]).toEqual([200, null]);
  expect(second.text.trim().split('\r\n')).toHaveLength(2);
  expect(second.text).toMatch(/,EUR,USD\r\n$/);
});

it('wants one currency in a file, and says when it has nothing', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  await owed('Yuki', paypal('yuki@pay.example'), 'jpy');
  const payout = await make();

  const several = await file(payout.id, 'paypal');
  expect([several.status, several.text]).toEqual([400, expect.stringContaining('currency')]);
  const yen = await file(payout.id, 'paypal?currency=jpy');
  expect(yen.text).toMatch(/^yuki@pay.example,2000,JPY,po[a-z0-9]{20},/);
  for (const rest of ['wise', 'paypal?currency=eur', 'paypal?currency=usd&part=2']) {
    expect(codeOf(await file(payout.id, rest))).toEqual([404, 'PAYOUT_FILE_EMPTY']);
  }
  expect((await file(payout.id, 'bitcoin')).status).toBe(404);
  expect(codeOf(await file(newId(), 'paypal'))).toEqual([404, 'PAYOUT_NOT_FOUND']);
});

it('reads our own results: dry first, then once (payouts.md, Results)', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  await owed('Bob', paypal('bob@pay.example'));
  const payout = await make();
  const [anna, bob] = [itemOf(payout, 'Anna'), itemOf(payout, 'Bob')];
  const csv = [
    'itemReference,status,transactionId,reason',
    `${anna.reference},paid,T1,`,
    `${bob.reference},failed,,no such account`,
    'po00000000000000000000,paid,T3,',
    `${anna.reference},lost,,`,
  ].join('\r\n');

  const dry = await upload(payout.id, csv);
  expect(dry.body).toMatchObject({
    rows: 4,
    changes: [
      { line: 2, itemId: anna.id, from: 'ready', to: 'paid', transactionId: 'T1' },
      { line: 3, itemId: bob.id, from: 'ready', to: 'failed', transactionId: null },
    ],
    unchanged: 0,
    problems: [{ line: 4 }, { line: 5 }],
  });
  expect((await read(payout.id)).status).toBe('processing');

  expect((await upload(payout.id, csv, false)).body.changes).toEqual(dry.body.changes);
  const done = await read(payout.id);
  expect(done.status).toBe('completed');
  expect(itemOf(done, 'Anna')).toMatchObject({ status: 'paid', transactionId: 'T1' });
  expect(itemOf(done, 'Bob')).toMatchObject({ status: 'failed', reason: 'no such account' });
  expect((await upload(payout.id, csv, false)).body).toMatchObject({ changes: [], unchanged: 2 });
});

it("reads PayPal's report, by reference or by what was paid to whom", async () => {
  await owed('Anna', paypal('anna@pay.example'));
  await owed('Bob', paypal('bob@pay.example'));
  const payout = await make();
  const anna = itemOf(payout, 'Anna');
  const report = [
    '\ufeffDate,Status,Currency,Gross,Transaction ID,To Email Address,Custom Number',
    `1/3/2026,Completed,USD,-20.00,PP1,anna@pay.example,${anna.reference}`,
    '1/3/2026,Unclaimed,USD,"-20.00",PP2,BOB@pay.example,',
    `30/3/2026,Returned,USD,20.00,PP1,anna@pay.example,${anna.reference}`,
    '30/3/2026,Completed,USD,-21.00,PP9,bob@pay.example,',
  ].join('\n');

  const { body } = await upload(payout.id, report, false);
  expect(body).toMatchObject({
    changes: [
      { line: 2, from: 'ready', to: 'paid' },
      { line: 4, from: 'paid', to: 'returned' },
    ],
    unchanged: 1,
    problems: [{ line: 5 }],
  });
  expect(itemOf(await read(payout.id), 'Anna').status).toBe('returned');
  expect((await read(payout.id)).status).toBe('processing');
});

it('refuses what is no such file', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id } = await make();
  for (const csv of ['', 'a,b\n1,2', '"open']) {
    const answer = await upload(id, csv);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('body')]);
  }
  const json = await api.post(`/api/v1/payouts/${id}/results`, { itemReference: 'a' });
  expect(json.status).toBe(415);
  const large = await upload(id, `itemReference,status\n${'x'.repeat(2 * 1024 * 1024)}`);
  expect(large.status).toBe(413);
  const long = await upload(id, `itemReference,status\n${'x,y\n'.repeat(50_001)}`);
  expect([long.status, long.text]).toEqual([400, expect.stringContaining('50000 rows')]);
  const wide = await upload(id, `itemReference,status\n${','.repeat(1_000)}`);
  expect([wide.status, wide.text]).toEqual([400, expect.stringContaining('valid CSV')]);
});

it('takes no text that cannot be kept', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id, items } = await make();
  const row = `itemReference,status,transactionId\n${items[0]?.reference},paid,`;
  const nul = await upload(id, `${row}T\0\n`, false);
  expect([nul.status, nul.text]).toEqual([400, expect.stringContaining('line 2')]);
  const half = await uploadBytes(id, Buffer.from(`\ufeff${row}T\ud800\n`, 'utf16le'));
  expect([half.status, await half.text()]).toEqual([400, expect.stringContaining('line 2')]);
});

it('answers as much as anybody reads', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id } = await make();
  const { status, body } = await upload(id, `itemReference,status\n${'x,y\n'.repeat(40_000)}`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ rows: 40_000, changes: [], problemCount: 40_000 });
  expect(body.problems).toHaveLength(100);
});

it('reads one report of an account at a time', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id, items } = await make();
  const csv = `itemReference,status\n${items[0]?.reference},paid\n`;
  const held = await holdTransaction(db);
  await query(held.tx, 'SELECT 1 FROM payouts WHERE id = $1 FOR UPDATE', [id]);
  const waiting = upload(id, csv, false);
  await eventually(() => waitsForLock(db));
  const refused = await upload(id, csv);
  await held.rollback();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await waiting).status).toBe(200);
  expect((await upload(id, csv)).status).toBe(200);
});

it.each([
  ['tabs', '\t', (text: string) => Buffer.from(text)],
  ['semicolons', ';', (text: string) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16, as Windows writes it', '\t', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, as a Mac did', ',', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
])('reads %s', async (_name, delimiter, encode) => {
  await owed('Anna', paypal('anna@pay.example'));
  const { id, items } = await make();
  const rows = [
    ['Type', 'Status', 'Currency', 'Gross', 'Transaction ID', 'To Email Address', 'Custom Number'],
    [
      'Mass Pay Payment',
      'Completed',
      'USD',
      '-20.00',
      'T1',
      'anna@pay.example',
      String(items[0]?.reference),
    ],
  ];
  const text = rows.map((row) => row.join(delimiter)).join('\r\n');
  const answer = await uploadBytes(id, encode(text));
  expect(await answer.json()).toMatchObject({ changes: [{ line: 2, to: 'paid' }] });
});

it("books no payment for money that came back, nor for a sum that is not the item's", async () => {
  await owed('Anna', paypal('anna@pay.example'));
  await owed('Bob', paypal('bob@pay.example'));
  await owed('Cid', paypal('cid@pay.example'));
  const payout = await make();
  const [anna, bob, cid] = ['Anna', 'Bob', 'Cid'].map((name) => itemOf(payout, name).reference);
  const header =
    'Type,Status,Currency,Gross,Transaction ID,Reference Txn ID,From Email Address,To Email Address,Custom Number';
  const csv = [
    header,
    `Mass Pay Reversal,Completed,USD,20.00,R1,T1,anna@pay.example,shop@x.example,${anna}`,
    'Payment Refund,Completed,USD,-20.00,R2,,bob@pay.example,shop@x.example,',
    `Mass Pay Payment,Completed,USD,-19.00,T3,,shop@x.example,cid@pay.example,${cid}`,
    `Mass Pay Payment,Completed,EUR,-20.00,T4,,shop@x.example,cid@pay.example,${cid}`,
    `Mass Pay Payment,Completed,USD,"-20,00",T5,,shop@x.example,cid@pay.example,${cid}`,
    'Mass Pay Fee,Completed,USD,-0.25,F1,,shop@x.example,,',
    'Account Hold for Open Authorization,Pending,USD,-20.00,H1,,,cid@pay.example,',
  ].join('\n');
  const { body } = await upload(payout.id, csv, false);
  expect(body).toMatchObject({
    changes: [
      { line: 2, from: 'ready', to: 'failed', transactionId: 'R1' },
      { line: 3, from: 'ready', to: 'failed', transactionId: 'R2' },
    ],
    skipped: 2,
    problems: [{ line: 4 }, { line: 5 }, { line: 6 }],
    problemCount: 3,
  });
  expect(bob).toBeDefined();
  expect((await upload(payout.id, csv, false)).body).toMatchObject({ changes: [], unchanged: 2 });
});

it('brings transactions of what was completed, and what was denied later', async () => {
  await owed('Anna', paypal('anna@pay.example'));
  await owed('Bob', paypal('bob@pay.example'));
  const payout = await make();
  await api.post(`/api/v1/payouts/${payout.id}/complete`);
  const [anna, bob] = [itemOf(payout, 'Anna'), itemOf(payout, 'Bob')];
  const csv = [
    'Status,Transaction ID,Custom Number',
    `Completed,T1,${anna.reference}`,
    `Denied,T2,${bob.reference}`,
  ].join('\n');
  expect((await upload(payout.id, csv, false)).body.changes).toMatchObject([
    { itemId: anna.id, from: 'paid', to: 'paid', transactionId: 'T1' },
    { itemId: bob.id, from: 'paid', to: 'returned', transactionId: 'T2' },
  ]);
  expect(itemOf(await read(payout.id), 'Anna')).toMatchObject({
    status: 'paid',
    transactionId: 'T1',
  });
  expect((await upload(payout.id, csv, false)).body).toMatchObject({ changes: [], unchanged: 2 });
});
