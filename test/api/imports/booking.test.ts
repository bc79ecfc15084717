import { query } from '../../../entities/database/sql';
import { codeOf } from '../../support/api-client';
import { files, sale, useImportShop } from '../../support/import-shop';
import { csvOf, cutover } from '../../support/imports';

const own = useImportShop();

it('asks for the sums, and books nothing before they are right', async () => {
  const one = await own.begin();
  expect(codeOf(await own.api.post(`${one.path}/apply`, { expected: [] }))).toEqual([
    409,
    'IMPORT_INVALID_STATE',
  ]);
  await one.check();
  const wrong = [{ currency: 'usd', openCents: 4_601, paidCents: 2_000 }];
  expect(codeOf(await own.api.post(`${one.path}/apply`, { expected: wrong }))).toEqual([
    409,
    'IMPORT_CHANGED',
  ]);
  expect(await one.expected()).toEqual([{ currency: 'usd', openCents: 4_600, paidCents: 2_000 }]);
  await query(
    own.db,
    `UPDATE imports SET checked_at = now() - interval '25 hours' WHERE program_id = $1`,
    [own.program.id],
  );
  const late = await own.api.post(`${one.path}/apply`, { expected: await one.expected() });
  expect(codeOf(late)).toEqual([409, 'IMPORT_CHANGED']);
});

it('books nothing before the cutover', async () => {
  const one = await own.begin(files, { cutover: new Date(Date.now() + 3_600_000).toISOString() });
  await one.check();
  const early = await own.api.post(`${one.path}/apply`, { expected: await one.expected() });
  expect(codeOf(early)).toEqual([409, 'IMPORT_CUTOVER_AHEAD']);
  expect((await one.read()).status).toBe('checked');
});

it('brings partners with their codes and ways to be paid, who read nothing of it yet', async () => {
  await own.bring();
  expect(await own.partnersHere()).toMatchObject([
    { partnerName: 'Ann', referralCode: 'ann-smith', promoCodes: ['ANN10'], status: 'approved' },
    { partnerName: 'Bob', status: 'approved' },
  ]);
  const [row] = await query<{ label: string; mails: number; claimed: null }>(
    own.db,
    `SELECT payout_method_label AS label, claimed_at AS claimed,
            (SELECT count(*) FROM mails WHERE workspace_id = $2) AS mails
       FROM participants WHERE program_id = $1 AND partner_name = 'Ann'`,
    [own.program.id, own.owner.workspaceId],
  );
  expect(row).toEqual({ label: 'PayPal, a***@example.com', mails: 0, claimed: null });
});

it('books commissions as the old system has them (imports.md, Booking)', async () => {
  await own.bring();
  const rows = await own.listCommissions();
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
  const [ann, bob] = await own.partnersHere();
  const balanceOf = async (id?: string) =>
    (
      await own.api.get<{ balances: object[] }>(
        `/api/v1/programs/${own.program.id}/partners/${id}/balance`,
      )
    ).body.balances;
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
  await own.bring();
  const before = await own.listCommissions();
  const again = await own.begin();
  const checked = await again.check();
  expect(checked.report?.kinds.map(({ new: fresh, known }) => [fresh, known])).toEqual([
    [0, 3],
    [0, 6],
    [0, 2],
    [0, 7],
  ]);
  const applied = await again.apply();
  expect(applied.report?.problems.count).toBe(0);
  expect(await own.listCommissions()).toEqual(before);
});

it('follows what was paid over there meanwhile, and leaves what was decided here', async () => {
  await own.bring();
  const rows = await own.listCommissions();
  const c3 = rows.find((row) => row.externalTransactionId === 'ch_3');
  const reject = `/api/v1/programs/${own.program.id}/commissions/${c3?.id}/reject`;
  expect((await own.api.patch(reject, { reason: 'no' })).status).toBe(200);
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
  const again = await own.begin({ commissions: moved });
  await again.check();
  const { report } = await again.apply();
  expect(report?.problems.sample).toMatchObject([{ id: 'c3', code: 'CONFLICT' }]);
  const after = await own.listCommissions();
  const statusOf = (sale: string) =>
    after.find((row) => row.externalTransactionId === sale)?.status;
  expect([statusOf('ch_2'), statusOf('ch_3'), statusOf('ch_6')]).toEqual([
    'paid',
    'rejected',
    'rejected',
  ]);
});

it('stops between two batches, and goes on to the same report (imports.md, The road of an import)', async () => {
  const one = await own.begin();
  await one.check();
  const asked = await own.api.post(`${one.path}/apply`, { expected: await one.expected() });
  expect(asked.status).toBe(202);
  const stopped = await own.api.post(`${one.path}/cancel`);
  expect(stopped.body['status']).toBe('stopped');
  expect(
    codeOf(
      await own.api.post(`/api/v1/programs/${own.program.id}/imports`, { source: 'csv', cutover }),
    ),
  ).toEqual([409, 'IMPORT_OPEN']);
  const applied = await one.apply();
  expect(applied.report?.kinds.map(({ new: fresh }) => fresh)).toEqual([3, 6, 2, 7]);
});
