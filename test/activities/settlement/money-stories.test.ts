import { refundConversion } from '../../../activities/purchases/refund';
import { settleConversion } from '../../../activities/settlement/settle';
import { newId } from '../../../entities/ids';
import { execute, query, queryOne, transaction, type Db } from '../../../entities/database/sql';
import { processorActor, systemActor } from '../../../entities/rules/values/actor';
import { buildCommission, type CommissionOfSale } from '../../support/build/commissions';
import { payoutsOn } from '../../support/build/payouts';
import { buildParticipant, type BuiltParticipant } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';
import { trailOf } from '../../support/stored/commission-trail';

const database = useDatabase();
let db: Db;
let anna: BuiltParticipant;

beforeAll(async () => {
  db = database.source.manager;
});
beforeEach(async () => {
  anna = await buildParticipant(db);
});

const { create, complete, cancel, approved, rowOf } = payoutsOn(() => db);
const scopeOf = ({ workspaceId, mode }: CommissionOfSale) => ({ workspaceId, mode });

interface Facts {
  charge_cents?: number;
  refunded_cents?: number;
  lost_dispute_cents?: number;
  open_disputes?: number;
}

/** What the processor says now, and the settlement that follows. */
function tell(commission: CommissionOfSale, facts: Facts): Promise<void> {
  const columns = Object.keys(facts);
  return transaction(db, async (tx) => {
    await execute(
      tx,
      `INSERT INTO conversion_settlements (conversion_id, workspace_id, mode, updated_at,
         ${columns.join(', ')})
       VALUES ($1, $2, $3, now(), ${columns.map((_, n) => `$${n + 4}`).join(', ')})
       ON CONFLICT (conversion_id) DO UPDATE
         SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [commission.conversionId, commission.workspaceId, commission.mode, ...Object.values(facts)],
    );
    const context = { scope: scopeOf(commission), actor: processorActor, now: new Date() };
    await settleConversion(tx, context, { conversionId: commission.conversionId });
  });
}

/** A refund outside the processor; without an amount all that is left. */
async function refund(commission: CommissionOfSale, amountCents: number | null): Promise<number> {
  const context = { scope: scopeOf(commission), actor: systemActor, now: new Date() };
  const command = {
    conversionId: commission.conversionId,
    externalRefundId: newId(),
    amountCents,
    reason: null,
  };
  return (await refundConversion(db, context, command)).refund.amountCents;
}

const ledgerOf = async ({ id }: CommissionOfSale) => (await trailOf(db, id)).ledger;

/** What the partner is owed, as commissions and as their ledger say. */
async function owedTo(participantId: string): Promise<Record<string, number>> {
  const rows = await query<{ currency: string; owed: number; ledger: number }>(
    db,
    `SELECT c.currency, sum(c.owed_cents)::bigint AS owed,
            sum((SELECT sum(l.amount_cents) FROM ledger_entries AS l
                  WHERE l.commission_id = c.id))::bigint AS ledger
       FROM commissions AS c WHERE c.participant_id = $1 GROUP BY c.currency`,
    [participantId],
  );
  for (const { owed, ledger } of rows) expect(ledger).toBe(owed);
  return Object.fromEntries(rows.map(({ currency, owed }) => [currency, owed]));
}

describe('a dispute opened while a payout is processed', () => {
  const open = { charge_cents: 10_000, open_disputes: 1 };

  it('flags the commission and does not stop complete', async () => {
    const one = await approved(anna);
    const { id } = await create(anna);
    await tell(one, open);
    expect(await rowOf(one)).toMatchObject({ reviewReasons: ['DISPUTED'], status: 'approved' });
    expect(await complete(anna, id)).toMatchObject({ status: 'completed' });
    expect(await rowOf(one)).toMatchObject({ status: 'paid', owedCents: 0 });
    expect(await ledgerOf(one)).toEqual(['accrual 2000', 'payout -2000']);
    expect(await owedTo(anna.id)).toEqual({ usd: 0 });
  });

  it.each([
    ['leaves nothing owed when it is won', {}, 0],
    ['is owed back when it is lost', { lost_dispute_cents: 10_000 }, -2_000],
  ])('%s after the payout was paid', async (_how, outcome, owed) => {
    const one = await approved(anna);
    const { id } = await create(anna);
    await tell(one, open);
    await complete(anna, id);
    await tell(one, { ...open, open_disputes: 0, ...outcome });
    expect(await rowOf(one)).toMatchObject({ status: 'paid', owedCents: owed, reviewReasons: [] });
    expect(await owedTo(anna.id)).toEqual({ usd: owed });
  });

  it('keeps the commission out of the next payout when that one is cancelled', async () => {
    const one = await approved(anna);
    const two = await approved(anna, 5_000);
    const { id } = await create(anna);
    await tell(one, open);
    await cancel(anna, id);
    const next = await create(anna);
    expect(next.items[0]).toMatchObject({ amountCents: 1_000, commissionIds: [two.id] });
  });
});

it('a dispute opened on what is paid takes nothing from the next payout', async () => {
  const paid = await approved(anna);
  await complete(anna, (await create(anna)).id);
  await tell(paid, { charge_cents: 10_000, open_disputes: 1 });
  expect(await owedTo(anna.id)).toEqual({ usd: 0 });
  await approved(anna, 5_000);
  expect((await create(anna)).items[0]?.amountCents).toBe(1_000);
});

describe('a flat commission', () => {
  const flat = (status: 'pending' | 'approved') =>
    buildCommission(db, {
      participant: anna,
      status,
      terms: { type: 'flat', rateBps: null, amountCents: 700 },
    });

  it('stays owed until the last cent came back', async () => {
    const one = await flat('approved');
    const { amountCents } = await rowOf(one);
    await refund(one, 9_999);
    expect(await rowOf(one)).toMatchObject({ status: 'approved', owedCents: amountCents });
    expect(await refund(one, null)).toBe(1);
    expect(await rowOf(one)).toMatchObject({ status: 'refunded', amountCents: 0, owedCents: 0 });
    expect(await owedTo(anna.id)).toEqual({ usd: 0 });
  });
});

describe('refunds by both ways', () => {
  it('the merchant may refund all, whatever Stripe gave back, and it stays refunded', async () => {
    const one = await approved(anna);
    await tell(one, { charge_cents: 10_000, refunded_cents: 4_000 });
    expect(await rowOf(one)).toMatchObject({ owedCents: 1_200 });
    expect(await refund(one, null)).toBe(10_000);
    expect(await rowOf(one)).toMatchObject({ status: 'refunded', owedCents: 0 });
    await tell(one, { charge_cents: 10_000, refunded_cents: 0 });
    expect(await rowOf(one)).toMatchObject({ status: 'refunded', owedCents: 0 });
    expect(await owedTo(anna.id)).toEqual({ usd: 0 });
  });

  it('the greater of both counts, not their sum', async () => {
    const one = await approved(anna);
    await tell(one, { charge_cents: 10_000, refunded_cents: 4_000 });
    await refund(one, 6_000);
    expect(await rowOf(one)).toMatchObject({ owedCents: 800 });
  });
});

describe('a payout of two currencies', () => {
  const inEuro = (conversionAmountCents: number) =>
    buildCommission(db, {
      participant: anna,
      status: 'approved',
      conversionAmountCents,
      conversionCurrency: 'eur',
    });

  it('has an item for each, and the least payout is that of the programme alone', async () => {
    await approved(anna, 10_000);
    await inEuro(500);
    const payout = await create(anna, undefined, 2_000);
    const items = payout.items.map(({ currency, amountCents }) => [currency, amountCents]);
    expect(items.sort()).toEqual([
      ['eur', 100],
      ['usd', 2_000],
    ]);
    await complete(anna, payout.id);
    expect(await owedTo(anna.id)).toEqual({ usd: 0, eur: 0 });
  });

  it('leaves what is below the least payout for later, in its currency alone', async () => {
    await approved(anna, 9_000);
    await inEuro(500);
    const payout = await create(anna, undefined, 2_000);
    expect(payout.items.map(({ currency }) => currency)).toEqual(['eur']);
    expect(await owedTo(anna.id)).toMatchObject({ usd: 1_800 });
  });

  it('nets a debt in its own currency, and never against another', async () => {
    const paid = await inEuro(10_000);
    await complete(anna, (await create(anna)).id);
    await refund(paid, null);
    expect(await owedTo(anna.id)).toEqual({ eur: -2_000 });

    await approved(anna, 10_000);
    const inDollars = await create(anna);
    expect(inDollars.items.map(({ currency, amountCents }) => [currency, amountCents])).toEqual([
      ['usd', 2_000],
    ]);
    await complete(anna, inDollars.id);
    expect(await owedTo(anna.id)).toEqual({ eur: -2_000, usd: 0 });

    await inEuro(20_000);
    const netted = await create(anna);
    expect(netted.items.map(({ currency, amountCents }) => [currency, amountCents])).toEqual([
      ['eur', 2_000],
    ]);
    const row = await queryOne<{ reserved: number }>(
      db,
      `SELECT sum(reserved_cents)::bigint AS reserved FROM commissions WHERE participant_id = $1`,
      [anna.id],
    );
    expect(row?.reserved).toBe(2_000);
  });
});
