import { query, type Db } from '../../../entities/database/sql';
import { ownRows } from '../../support/payout-reports';
import { reportResults } from '../../../activities/payouts/results';
import { adjustBalance } from '../../../activities/commissions/adjust';
import { decideCommission } from '../../../activities/commissions/decide';
import { Payout } from '../../../entities/tables/payouts/payout.entity';
import { codeOf, contextOf, payoutsOn } from '../../support/build/payouts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { trailOf } from '../../support/stored/commission-trail';
import { useDatabase } from '../../support/data-source';
import { oneRow } from '../../support/rows';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const { create, complete, cancel, mark, approved, rowOf, refund } = payoutsOn(() => db);

const statusOf = async ({ id }: { id: string }): Promise<string> =>
  (await oneRow(db, Payout, { id })).status;

/** One approved commission of 2,000 in a payout. */
async function oneInPayout() {
  const anna = await buildParticipant(db);
  const one = await approved(anna);
  const payout = await create(anna);
  return { anna, one, payout };
}

/** What was told of a payout: `kind cause`, and how many items of each status. */
async function toldOf(payoutId: string): Promise<string[]> {
  const events = await query<{ type: string; cause: string | null; statuses: string }>(
    db,
    `SELECT type, cause, (SELECT string_agg(i->>'status', ' ' ORDER BY i->>'status')
                            FROM json_array_elements(object->'items') AS i) AS statuses
       FROM events WHERE object_id = $1 ORDER BY seq`,
    [payoutId],
  );
  return events.map(({ type, cause, statuses }) =>
    [type, cause, statuses].filter(Boolean).join(' '),
  );
}

describe('the events of items', () => {
  it('is told once, and what came later as well', async () => {
    const program = await buildProgram(db);
    const anna = await buildParticipant(db, { program });
    const bob = await buildParticipant(db, { program });
    await approved(anna);
    await approved(bob);
    const payout = await create(anna);
    await mark(anna, payout, { status: 'failed', item: 0 });
    await mark(anna, payout, { status: 'paid', item: 1 });
    await mark(anna, payout, { status: 'paid', item: 1 });
    await mark(anna, payout, { status: 'paid', item: 0 });
    await mark(anna, payout, { status: 'returned', item: 0 });
    await mark(anna, payout, { status: 'paid', item: 0 });
    expect(await toldOf(payout.id)).toEqual([
      'payout.created ready ready',
      'payout.cancelled failed',
      'payout.completed failed paid',
      'payout.completed paid_late paid',
      'payout.item_returned returned',
      'payout.completed paid_late paid',
    ]);
  });

  it('is the end of it, when a report tells of a payment and of its return', async () => {
    const { anna, payout } = await oneInPayout();
    const [item] = payout.items;
    const rows = ['paid', 'returned'].map((status) => [item?.reference ?? '', status, 'T1']);
    const command = { payoutId: payout.id, results: ownRows(...rows) };
    // No method is stored, so that nothing is opened.
    const stores = { db, vault: { decrypt: () => '' } };
    await reportResults(stores, contextOf(anna), command);
    const expected = [
      'payout.created ready',
      'payout.completed returned',
      'payout.item_returned returned',
    ];
    expect(await toldOf(payout.id)).toEqual(expected);

    const again = await reportResults(stores, contextOf(anna), command);
    expect(again).toMatchObject({ changes: [], unchanged: 2 });
    expect(await toldOf(payout.id)).toEqual(expected);
  });
});

describe('an item of a payout (payouts.md, What becomes of an item)', () => {
  it('has a reference of its own, and is paid alone', async () => {
    const { anna, one, payout } = await oneInPayout();
    expect(payout.items[0]?.reference).toMatch(/^po[a-z0-9]{20}$/);
    const paid = await mark(anna, payout, { status: 'paid', transactionId: 'T1' });
    expect(paid).toMatchObject({
      status: 'completed',
      items: [{ status: 'paid', transactionId: 'T1', paidAt: expect.any(Date) as Date }],
    });
    expect(await rowOf(one)).toMatchObject({ status: 'paid', owedCents: 0, reservedCents: 0 });

    await mark(anna, payout, { status: 'paid', transactionId: 'T1' });
    await mark(anna, payout, { status: 'paid' });
    expect((await trailOf(db, one.id)).ledger).toEqual(['accrual 2000', 'payout -2000']);
    const other = mark(anna, payout, { status: 'paid', transactionId: 'T2' });
    expect(await codeOf(other)).toBe('PAYOUT_ITEM_INVALID_TRANSITION');
  });

  it('that failed frees what it took, and what was refunded meanwhile is refunded', async () => {
    const { anna, one, payout } = await oneInPayout();
    await refund(one, 10_000);
    const failed = await mark(anna, payout, { status: 'failed', reason: 'No such account' });
    expect(failed).toMatchObject({ status: 'cancelled', items: [{ reason: 'No such account' }] });
    expect(await rowOf(one)).toMatchObject({ status: 'refunded', owedCents: 0, payoutId: null });
  });

  it('that came back is owed again, and the next payout pays it', async () => {
    const { anna, one, payout } = await oneInPayout();
    await complete(anna, payout.id);
    await mark(anna, payout, { status: 'returned', reason: 'Unclaimed' });
    expect(await statusOf(payout)).toBe('completed');
    expect(await rowOf(one)).toMatchObject({
      status: 'approved',
      paidAt: null,
      payoutId: null,
      owedCents: 2_000,
    });
    const next = await create(anna);
    expect(next.items).toMatchObject([{ amountCents: 2_000 }]);
    await complete(anna, next.id);
    const trail = await trailOf(db, one.id);
    expect(trail.ledger.slice(1)).toEqual(['payout -2000', 'payout_reversal 2000', 'payout -2000']);
    expect(trail.history.slice(-2)).toEqual([
      'paid>approved payout_returned',
      'approved>paid payout',
    ]);
    expect(trail.events.slice(-3)).toEqual([
      'commission.paid',
      'commission.updated',
      'commission.paid',
    ]);
  });

  it('that came back after a refund is refunded, and what was netted for it is owed back', async () => {
    const { anna, one, payout } = await oneInPayout();
    await complete(anna, payout.id);
    await refund(one, 10_000);
    const two = await approved(anna, 20_000);
    const second = await create(anna);
    expect(second.items).toMatchObject([{ amountCents: 2_000 }]);
    await complete(anna, second.id);

    await mark(anna, payout, { status: 'returned' });
    expect(await rowOf(one)).toMatchObject({ status: 'refunded', owedCents: 2_000 });
    expect(await rowOf(two)).toMatchObject({ status: 'paid', owedCents: 0 });
    const third = await create(anna);
    expect(third.items).toMatchObject([{ amountCents: 2_000 }]);
  });

  it('that went out all the same after the cancel makes what another payout takes a debt', async () => {
    const { anna, one, payout } = await oneInPayout();
    await cancel(anna, payout.id);
    const second = await create(anna);
    await mark(anna, payout, { status: 'paid' });
    expect(await statusOf(payout)).toBe('completed');
    await complete(anna, second.id);
    expect(await rowOf(one)).toMatchObject({ status: 'paid', owedCents: -2_000 });

    await approved(anna, 30_000);
    expect((await create(anna)).items).toMatchObject([{ amountCents: 4_000 }]);
  });

  it('that went out twice stays paid once when one payment comes back', async () => {
    const { anna, one, payout } = await oneInPayout();
    await mark(anna, payout, { status: 'failed' });
    const second = await create(anna);
    await mark(anna, payout, { status: 'paid' });
    await mark(anna, second, { status: 'failed' });
    expect(await rowOf(one)).toMatchObject({
      status: 'paid',
      payoutId: payout.id,
      owedCents: 0,
      reservedCents: 0,
    });
  });

  it('that went out all the same after a rejection is a debt', async () => {
    const { anna, one, payout } = await oneInPayout();
    await cancel(anna, payout.id);
    const rejection = { commissionId: one.id, decision: 'reject' as const, reason: 'no' };
    await decideCommission(db, contextOf(anna), rejection);
    await mark(anna, payout, { status: 'paid' });
    expect(await rowOf(one)).toMatchObject({ status: 'rejected', owedCents: -2_000 });
  });

  it('that went out all the same has paid what it netted, whichever payout was told first', async () => {
    const anna = await buildParticipant(db);
    await approved(anna);
    const { record: debit } = await adjustBalance(db, contextOf(anna), {
      programId: anna.programId,
      participantId: anna.id,
      ...{ amountCents: -500, currency: 'usd', reason: 'a correction', externalId: null },
    });
    const payout = await create(anna);
    expect(payout.items).toMatchObject([{ amountCents: 1_500 }]);
    await mark(anna, payout, { status: 'failed' });
    await mark(anna, payout, { status: 'paid' });
    const settled = { status: 'paid', owedCents: 0, reservedCents: 0, payoutId: payout.id };
    expect(await rowOf(debit)).toMatchObject(settled);
    await approved(anna);
    const next = await create(anna);
    expect(next.items).toMatchObject([{ amountCents: 2_000 }]);
    await cancel(anna, next.id);
    expect(await rowOf(debit)).toMatchObject(settled);

    await mark(anna, payout, { status: 'returned' });
    expect(await rowOf(debit)).toMatchObject({ status: 'approved', owedCents: -500 });
    const second = await create(anna);
    expect(second.items).toMatchObject([{ amountCents: 3_500 }]);
    await mark(anna, payout, { status: 'paid' });
    await cancel(anna, second.id);
    expect(await rowOf(debit)).toMatchObject(settled);
  });

  it('of one partner leaves the others ready', async () => {
    const program = await buildProgram(db);
    const anna = await buildParticipant(db, { program });
    const bob = await buildParticipant(db, { program });
    await approved(anna);
    await approved(bob);
    const payout = await create(anna);
    expect(await mark(anna, payout, { status: 'paid' })).toMatchObject({ status: 'processing' });
    expect(await mark(anna, payout, { status: 'failed', item: 1 })).toMatchObject({
      status: 'completed',
    });
    expect(await codeOf(complete(anna, payout.id))).toBe('PAYOUT_NOT_PROCESSING');
  });

  it('that a file held is cancelled by who has looked only', async () => {
    const { anna, payout } = await oneInPayout();
    await db.query('UPDATE payout_items SET exported_at = now() WHERE payout_id = $1', [payout.id]);
    expect(await codeOf(cancel(anna, payout.id))).toBe('PAYOUT_ITEMS_EXPORTED');
    expect(await statusOf(payout)).toBe('processing');
    await cancel(anna, payout.id, true);
    expect(await statusOf(payout)).toBe('cancelled');
  });
});
