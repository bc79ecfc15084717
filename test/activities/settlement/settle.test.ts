import { decideCommission } from '../../../activities/commissions/decide';
import { settleConversion } from '../../../activities/settlement/settle';
import { Commission } from '../../../entities/tables/commissions/commission.entity';
import { newId } from '../../../entities/ids';
import { processorActor, systemActor } from '../../../entities/rules/values/actor';
import { type Db, transaction, type Tx } from '../../../entities/database/sql';
import { execute, query, queryOne } from '../../../entities/database/sql';
import {
  buildCommission,
  buildPayout,
  type CommissionOfSale,
} from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';
import { trailOf } from '../../support/stored/commission-trail';
import { useDatabase } from '../../support/data-source';
import { isNightly } from '../../support/run/nightly';
import { oneRow } from '../../support/rows';

const database = useDatabase(16);
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

interface Facts {
  charge_cents?: number;
  refunded_cents?: number;
  lost_dispute_cents?: number;
  open_disputes?: number;
  fee_cents?: number;
}

/** What the processor says now, and the settlement that follows, in one transaction. */
function tell(commission: CommissionOfSale, facts: Facts): Promise<void> {
  return transaction(db, async (tx) => {
    const { conversionId, workspaceId, mode } = commission;
    const columns = Object.keys(facts);
    await execute(
      tx,
      `INSERT INTO conversion_settlements (conversion_id, workspace_id, mode, updated_at,
         ${columns.join(', ')})
       VALUES ($1, $2, $3, now(), ${columns.map((_, n) => `$${n + 4}`).join(', ')})
       ON CONFLICT (conversion_id) DO UPDATE
         SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      [conversionId, workspaceId, mode, ...Object.values(facts)],
    );
    await settle(tx, commission);
  });
}

/** A refund by API; the same id twice is one refund. */
function refund(
  commission: CommissionOfSale,
  cents: number,
  externalId: string = newId(),
): Promise<void> {
  return transaction(db, async (tx) => {
    const { conversionId, workspaceId, mode } = commission;
    await execute(
      tx,
      `INSERT INTO conversion_refunds (id, workspace_id, mode, conversion_id, external_refund_id,
         amount_cents, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, now()) ON CONFLICT DO NOTHING`,
      [newId(), workspaceId, mode, conversionId, externalId, cents],
    );
    await settle(tx, commission);
  });
}

function settle(tx: Tx, commission: CommissionOfSale): Promise<void> {
  const { conversionId, workspaceId, mode } = commission;
  const context = { scope: { workspaceId, mode }, actor: processorActor, now: new Date() };
  return settleConversion(tx, context, { conversionId });
}

const rowOf = (commission: CommissionOfSale) => oneRow(db, Commission, { id: commission.id });

async function refundedOfConversion(commission: CommissionOfSale): Promise<number | undefined> {
  const rows = await query<{ cents: number }>(
    db,
    'SELECT refunded_amount_cents AS cents FROM conversions WHERE id = $1',
    [commission.conversionId],
  );
  return rows[0]?.cents;
}

describe('a refund', () => {
  it('takes its part of commission and conversion', async () => {
    const commission = await buildCommission(db);
    await refund(commission, 2_500);
    expect(await rowOf(commission)).toMatchObject({
      status: 'pending',
      amountCents: 1_500,
      refundedAmountCents: 500,
    });
    expect(await refundedOfConversion(commission)).toBe(2_500);
    expect(await trailOf(db, commission.id)).toEqual({
      history: ['>pending created', 'pending>pending refund'],
      ledger: ['accrual 2000', 'refund -500'],
      owed: 1_500,
      events: ['commission.created', 'commission.refunded'],
    });
    const told = await query(
      db,
      "SELECT 1 FROM events WHERE type = 'conversion.refunded' AND object_id = $1",
      [commission.conversionId],
    );
    expect(told).toHaveLength(1);
  });

  it('of everything makes it refunded, and a failed one brings the status back', async () => {
    const commission = await buildCommission(db, { status: 'approved' });
    await tell(commission, { charge_cents: 11_900, refunded_cents: 11_900 });
    expect(await rowOf(commission)).toMatchObject({ status: 'refunded', amountCents: 0 });
    await tell(commission, { refunded_cents: 0 });
    expect(await rowOf(commission)).toMatchObject({
      status: 'approved',
      amountCents: 2_000,
      refundedAt: null,
    });
    const { history, events } = await trailOf(db, commission.id);
    expect(history.slice(2)).toEqual(['approved>refunded refund', 'refunded>approved refund']);
    expect(events.slice(2)).toEqual(['commission.refunded', 'commission.updated']);
    expect(await lastCause(commission)).toBe('refund_failed');
    expect(await refundedOfConversion(commission)).toBe(0);
  });

  it('told twice changes and emits nothing the second time', async () => {
    const commission = await buildCommission(db);
    await tell(commission, { charge_cents: 10_000, refunded_cents: 4_000 });
    const before = await trailOf(db, commission.id);
    await tell(commission, { charge_cents: 10_000, refunded_cents: 4_000 });
    expect(await trailOf(db, commission.id)).toEqual(before);
  });

  it('after a rejection changes nothing', async () => {
    const commission = await buildCommission(db, { status: 'rejected' });
    const before = await trailOf(db, commission.id);
    await refund(commission, 10_000);
    expect(await trailOf(db, commission.id)).toEqual(before);
    expect(await refundedOfConversion(commission)).toBe(10_000);
  });

  it('after the payment is clawed back and leaves it paid', async () => {
    const commission = await buildCommission(db, { status: 'approved' });
    await buildPayout(db, [commission], { completed: true });
    await refund(commission, 5_000);
    const row = await rowOf(commission);
    expect(row).toMatchObject({ status: 'paid', amountCents: 1_000, owedCents: -1_000 });
    expect(row.refundedAt).not.toBeNull();
    const { ledger } = await trailOf(db, commission.id);
    expect(ledger).toEqual(['accrual 2000', 'payout -2000', 'clawback -1000']);
  });
});

describe('a dispute', () => {
  it('keeps the commission back, and won lets it go on', async () => {
    const commission = await buildCommission(db, { terms: { holdDays: 0, autoApprove: false } });
    await tell(commission, { charge_cents: 10_000, open_disputes: 1 });
    expect(await rowOf(commission)).toMatchObject({ reviewReasons: ['DISPUTED'], owedCents: 0 });
    await tell(commission, { open_disputes: 0 });
    expect(await rowOf(commission)).toMatchObject({ reviewReasons: [], owedCents: 2_000 });
    expect((await trailOf(db, commission.id)).ledger).toEqual([
      'accrual 2000',
      'dispute_hold -2000',
      'dispute_release 2000',
    ]);
  });

  it('lost is a refund of what was disputed', async () => {
    const commission = await buildCommission(db);
    await tell(commission, { charge_cents: 10_000, open_disputes: 1 });
    await tell(commission, { open_disputes: 0, lost_dispute_cents: 10_000 });
    expect(await rowOf(commission)).toMatchObject({ status: 'refunded', amountCents: 0 });
    const { history, owed } = await trailOf(db, commission.id);
    expect(history.at(-1)).toBe('pending>refunded dispute');
    expect(owed).toBe(0);
  });

  it('that was lost is named once: what comes afterwards is a refund', async () => {
    const commission = await buildCommission(db);
    await tell(commission, { charge_cents: 10_000, lost_dispute_cents: 4_000 });
    await tell(commission, { refunded_cents: 2_000 });
    await refund(commission, 3_000);
    await tell(commission, { lost_dispute_cents: 5_000 });

    const { history } = await trailOf(db, commission.id);
    const pending = ['dispute', 'refund', 'refund', 'dispute'].map((t) => `pending>pending ${t}`);
    expect(history.slice(1)).toEqual(pending);
    expect((await rowOf(commission)).amountCents).toBe(400);
  });

  it('that was the last flag after the hold approves the commission as it goes', async () => {
    const commission = await buildCommission(db, { terms: { holdDays: 0, basis: 'net' } });
    await tell(commission, { charge_cents: 10_000, open_disputes: 1, fee_cents: 500 });
    expect((await rowOf(commission)).status).toBe('pending');
    await tell(commission, { open_disputes: 0 });
    expect(await rowOf(commission)).toMatchObject({ status: 'approved', amountCents: 1_900 });
  });
});

describe('every order of partial, partial, dispute opened, its end and a full refund', () => {
  type Step = 'partial one' | 'partial two' | 'opened' | 'closed' | 'full';
  const steps: Step[] = ['partial one', 'partial two', 'opened', 'closed', 'full'];

  /** What the processor's facts are once these steps are known, in whichever order they came. */
  function factsOf(seen: ReadonlySet<Step>, won: boolean): Facts {
    const partial = seen.has('partial two') ? 4_000 : seen.has('partial one') ? 1_500 : 0;
    return {
      charge_cents: 10_000,
      refunded_cents: seen.has('full') ? 10_000 : partial,
      open_disputes: seen.has('opened') && !seen.has('closed') ? 1 : 0,
      lost_dispute_cents: seen.has('closed') && !won ? 3_000 : 0,
    };
  }

  /** `npm test` takes each seventh of the orders, which ends in every way; every step comes twice. */
  const every = isNightly ? 1 : 7;

  function permutations(list: Step[]): Step[][] {
    if (list.length < 2) return [list];
    return list.flatMap((step) =>
      permutations(list.filter((other) => other !== step)).map((rest) => [step, ...rest]),
    );
  }

  it.each([
    ['won', true, 'pending'],
    ['lost', false, 'pending'],
    ['won', true, 'approved'],
    ['lost', false, 'paid'],
  ] as const)('with the dispute %s ends in the same rows (%s, %s)', async (_name, won, status) => {
    const program = await buildProgram(db);
    const ends = new Set<string>();
    for (const [n, order] of permutations(steps).entries()) {
      if (n % every !== 0) continue;
      const commission = await buildCommission(db, {
        program,
        status: status === 'pending' ? 'pending' : 'approved',
      });
      if (status === 'paid') await buildPayout(db, [commission], { completed: true });
      const seen = new Set<Step>();
      for (const step of [...order, ...order.slice(0, 3)]) {
        seen.add(step);
        await tell(commission, factsOf(seen, won));
      }
      const {
        status: end,
        amountCents,
        refundedAmountCents,
        reviewReasons,
        owedCents,
      } = await rowOf(commission);
      const { owed, ledger } = await trailOf(db, commission.id);
      expect(owed).toBe(owedCents);
      const sums = sumsByType(ledger);
      ends.add(
        JSON.stringify({ end, amountCents, refundedAmountCents, reviewReasons, owed, sums }),
      );
    }
    expect([...ends]).toHaveLength(1);
  });

  function sumsByType(ledger: string[]): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const line of ledger) {
      const [type = '', cents] = line.split(' ');
      // A hold and its release cancel out, however often the dispute was seen open.
      const kind = type.startsWith('dispute') ? 'dispute' : type;
      sums[kind] = (sums[kind] ?? 0) + Number(cents);
    }
    const entries = Object.entries(sums).filter(([, cents]) => cents !== 0);
    return Object.fromEntries(entries.sort());
  }
});

describe('an approval and a full refund at once', () => {
  it('leave a refunded commission with nothing owed, whoever was first', async () => {
    for (let round = 0; round < 10; round += 1) {
      const commission = await buildCommission(db, { terms: { holdDays: 0, autoApprove: false } });
      const { id, workspaceId, mode } = commission;
      const scope = { workspaceId, mode };
      const approval = decideCommission(
        db,
        { scope, actor: systemActor, now: new Date() },
        { commissionId: id, decision: 'approve', reason: null },
      );
      await Promise.allSettled([approval, refund(commission, 10_000)]);
      expect(await rowOf(commission)).toMatchObject({ status: 'refunded', owedCents: 0 });
      expect((await trailOf(db, id)).owed).toBe(0);
    }
  });
});

/** What the last event of the commission came with. */
async function lastCause({ id }: { id: string }): Promise<string | null | undefined> {
  const row = await queryOne<{ cause: string | null }>(
    db,
    'SELECT cause FROM events WHERE object_id = $1 ORDER BY seq DESC LIMIT 1',
    [id],
  );
  return row?.cause;
}
