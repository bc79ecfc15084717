import { Client } from 'pg';
import { newId } from '../../../entities/ids';
import type { CommissionRecord } from '../../../activities/commissions/records';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { Program } from '../../../entities/tables/programs/program.entity';
import { execute, type Db } from '../../../entities/database/sql';
import { codeOf, payoutsOn } from '../../support/build/payouts';
import { buildCommission } from '../../support/build/commissions';
import { buildParticipant } from '../../support/build/programs';
import { trailOf } from '../../support/stored/commission-trail';
import { useDatabase } from '../../support/data-source';
import { byNight } from '../../support/run/nightly';
import { oneRow } from '../../support/rows';
import { update } from '../../../entities/database/update';

const database = useDatabase(16);
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const { create, complete, cancel, approved, rowOf, refund } = payoutsOn(() => db);

const programOf = ({ programId }: Participant) => oneRow(db, Program, { id: programId });

/** Makes `count` further commissions like this one, younger than it. */
async function copies({ id }: CommissionRecord, count: number): Promise<void> {
  const [first] = await db.query<Record<string, unknown>[]>(
    'SELECT * FROM commissions WHERE id = $1',
    [id],
  );
  const fixed = ['id', 'conversion_id', 'refunded_amount_cents', 'needs_review'];
  const columns = Object.keys(first ?? {}).filter((name) => !fixed.includes(name));
  await execute(
    db,
    `INSERT INTO commissions (id, conversion_id, ${columns.join(', ')})
     SELECT ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, gen_random_uuid(),
            ${columns.join(', ')}
       FROM commissions, generate_series(1, $2::int) WHERE id = $1`,
    [id, count],
  );
}

describe('a payout', () => {
  it('takes every approved commission, one item a partner, and pays them', async () => {
    const anna = await buildParticipant(db);
    const [one, two] = [await approved(anna), await approved(anna, 5_000)];
    const pending = await buildCommission(db, { participant: anna });

    const payout = await create(anna);
    expect(payout).toMatchObject({ status: 'processing', reference: 'March' });
    expect(payout.items).toMatchObject([
      {
        participantId: anna.id,
        partnerName: anna.partnerName,
        currency: 'usd',
        amountCents: 3_000,
        commissionCount: 2,
        commissionIds: [one.id, two.id].sort(),
      },
    ]);
    expect(await rowOf(one)).toMatchObject({ status: 'approved', payoutId: payout.id });

    const done = await complete(anna, payout.id);
    expect(done).toMatchObject({ status: 'completed' });
    expect(await rowOf(one)).toMatchObject({ status: 'paid', owedCents: 0, reservedCents: 0 });
    expect((await rowOf(pending)).status).toBe('pending');
    const trail = await trailOf(db, one.id);
    expect(trail.ledger).toEqual(['accrual 2000', 'payout -2000']);
    expect(trail.history.at(-1)).toBe('approved>paid payout');
    expect(trail.events.at(-1)).toBe('commission.paid');
  });

  it('frees its commissions when it is cancelled', async () => {
    const anna = await buildParticipant(db);
    const one = await approved(anna);
    const payout = await create(anna);
    expect(await cancel(anna, payout.id)).toMatchObject({ status: 'cancelled' });
    expect(await rowOf(one)).toMatchObject({
      status: 'approved',
      payoutId: null,
      owedCents: 2_000,
    });
    expect((await create(anna)).items[0]?.amountCents).toBe(2_000);
  });

  it('is refused when there is nothing to pay, or a named one cannot be paid', async () => {
    const anna = await buildParticipant(db);
    expect(await codeOf(create(anna))).toBe('PAYOUT_EMPTY');
    const good = await approved(anna);
    const pending = await buildCommission(db, { participant: anna });
    expect(await codeOf(create(anna, [good.id, pending.id]))).toBe('COMMISSION_NOT_PAYABLE');
    expect(await codeOf(create(anna, [good.id, newId()]))).toBe('COMMISSION_NOT_PAYABLE');
    const paid = await approved(anna);
    await complete(anna, (await create(anna, [paid.id])).id);
    await refund(paid, 3_000);
    expect(await codeOf(create(anna, [good.id, paid.id]))).toBe('COMMISSION_NOT_PAYABLE');
    expect(await codeOf(create(anna, [paid.id]))).toBe('COMMISSION_NOT_PAYABLE');
    const hundred = 2_001 + 600;
    expect(await codeOf(create(anna, undefined, hundred))).toBe('PAYOUT_EMPTY');
    expect((await rowOf(good)).payoutId).toBeNull();
  });

  it('leaves out suspended partners, unless their commissions are named', async () => {
    const anna = await buildParticipant(db);
    const one = await approved(anna);
    await update(db, Participant, { where: { id: anna.id }, set: { status: 'suspended' } });
    expect(await codeOf(create(anna))).toBe('PAYOUT_EMPTY');
    expect((await create(anna, [one.id])).items).toMatchObject([{ commissionCount: 1 }]);
  });

  // Thousands of rows: `npm run test:nightly` has time for them.
  byNight?.(
    'takes the oldest ten thousand, and says how many are left for the next',
    async () => {
      const anna = await buildParticipant(db);
      const model = await approved(anna);
      await copies(model, 10_002);
      const first = await create(anna);
      expect(first.items).toMatchObject([{ commissionCount: 10_000, amountCents: 20_000_000 }]);
      expect(first.remaining).toBe(3);
      const second = await create(anna);
      expect(second.items).toMatchObject([{ commissionCount: 3 }]);
      expect(second.remaining).toBe(0);

      // A statement for each commission would be ten thousand.
      const queries = jest.spyOn(Client.prototype, 'query');
      expect(await cancel(anna, first.id)).toMatchObject({ status: 'cancelled' });
      expect(queries.mock.calls.length).toBeLessThan(500);
      queries.mockRestore();
      expect(await rowOf(model)).toMatchObject({ payoutId: null, reservedCents: 0 });
    },
    60_000,
  );

  byNight?.(
    'pays what is due to the cent, when there are more debts than one payout can net',
    async () => {
      const anna = await buildParticipant(db);
      const debt = await approved(anna);
      await complete(anna, (await create(anna)).id);
      await refund(debt, 10_000);
      await copies({ ...debt }, 6_000);
      const payable = await approved(anna);
      await copies(payable, 6_499);

      const amounts: number[] = [];
      while (amounts.length < 4) {
        const payout = await create(anna).catch((error: unknown) => error as { code: string });
        if ('code' in payout) break;
        amounts.push(payout.items[0]?.amountCents ?? 0);
        await complete(anna, payout.id);
      }
      expect(Math.min(...amounts)).toBeGreaterThan(0);
      expect(amounts.reduce((sum, cents) => sum + cents, 0)).toBe((6_500 - 6_001) * 2_000);
      expect(await codeOf(create(anna))).toBe('PAYOUT_EMPTY');
    },
    120_000,
  );

  it('does not let a partner in debt stand in the way of others', async () => {
    const anna = await buildParticipant(db);
    const paid = await approved(anna, 100_000);
    await complete(anna, (await create(anna)).id);
    await refund(paid, 100_000);
    await approved(anna);
    const ben = await buildParticipant(db, { program: await programOf(anna) });
    await approved(ben);
    const payout = await create(anna);
    expect(payout.items).toMatchObject([{ participantId: ben.id }]);
    expect(payout.remaining).toBe(0);
  });

  it('leaves out disputed commissions and erased partners', async () => {
    const anna = await buildParticipant(db);
    await buildCommission(db, {
      participant: anna,
      status: 'approved',
      reviewReasons: ['DISPUTED'],
    });
    expect(await codeOf(create(anna))).toBe('PAYOUT_EMPTY');
    await approved(anna);
    await update(db, Participant, { where: { id: anna.id }, set: { erasedAt: new Date() } });
    expect(await codeOf(create(anna))).toBe('PAYOUT_EMPTY');
  });

  it('nets what was refunded after the payment, and carries what is left of a debt', async () => {
    const anna = await buildParticipant(db);
    const paid = await approved(anna);
    await complete(anna, (await create(anna)).id);
    await refund(paid, 10_000);
    expect((await rowOf(paid)).owedCents).toBe(-2_000);

    await approved(anna, 5_000);
    expect(await codeOf(create(anna))).toBe('PAYOUT_EMPTY');
    await approved(anna, 7_500);
    const payout = await create(anna);
    expect(payout.items[0]).toMatchObject({ amountCents: 500 });
    expect(payout.items[0]?.commissionIds).toContain(paid.id);
    await complete(anna, payout.id);
    expect(await rowOf(paid)).toMatchObject({ status: 'paid', owedCents: 0, reservedCents: 0 });
  });

  it('frees the debt that it netted when it is cancelled', async () => {
    const anna = await buildParticipant(db);
    const paid = await approved(anna);
    await complete(anna, (await create(anna)).id);
    await refund(paid, 10_000);
    await approved(anna, 20_000);
    const first = await create(anna);
    expect(first.items[0]?.amountCents).toBe(2_000);
    await cancel(anna, first.id);
    expect((await create(anna)).items[0]?.amountCents).toBe(2_000);
  });
});

describe('a refund while a payout is processing (payouts.md, While it is processing)', () => {
  it('is clawed back and netted from the next one', async () => {
    const anna = await buildParticipant(db);
    const one = await approved(anna);
    const payout = await create(anna);
    await refund(one, 5_000);
    expect(await rowOf(one)).toMatchObject({ status: 'approved', amountCents: 1_000 });
    await complete(anna, payout.id);
    expect(await rowOf(one)).toMatchObject({ status: 'paid', owedCents: -1_000 });
    await approved(anna);
    expect((await create(anna)).items[0]?.amountCents).toBe(1_000);
  });

  it('takes effect when that is cancelled', async () => {
    const anna = await buildParticipant(db);
    const one = await approved(anna);
    const payout = await create(anna);
    await refund(one, 10_000);
    await cancel(anna, payout.id);
    expect(await rowOf(one)).toMatchObject({ status: 'refunded', owedCents: 0, payoutId: null });
    expect((await trailOf(db, one.id)).history.at(-1)).toBe('approved>refunded refund');
  });

  it('netted by another payout already is paid back after the cancel', async () => {
    const anna = await buildParticipant(db);
    const one = await approved(anna);
    const first = await create(anna);
    await refund(one, 10_000);
    await approved(anna, 20_000);
    const second = await create(anna);
    expect(second.items[0]?.amountCents).toBe(2_000);
    await cancel(anna, first.id);
    await complete(anna, second.id);
    const third = await create(anna);
    expect(third.items).toMatchObject([{ amountCents: 2_000, commissionIds: [one.id] }]);
  });
});
