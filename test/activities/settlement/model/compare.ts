import { commissionStats } from '../../../../api/commissions/commission-stats.queries';
import { listCommissions } from '../../../../api/commissions/commission-list.queries';
import { balancesOf, listPayouts } from '../../../../api/payouts/payouts.queries';
import { prepared, query } from '../../../../entities/database/sql';
import type { Entry, Partner } from './entries';
import { halfUp, sum } from './payments';
import type { Shop } from './shop';
import type { World } from './world';

/** Everything that a step may change, in one text: what a repeat leaves as it is. */
export async function fingerprint({ db, scope }: Shop): Promise<string | undefined> {
  const rows = (table: string) =>
    `(SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM ${table} AS t
       WHERE t.workspace_id = $1)`;
  const of = ['commissions', 'conversions', 'conversion_refunds', 'conversion_settlements'];
  const more = ['ledger_entries', 'events', 'payouts', 'payout_items', 'participants'];
  const [row] = await prepared<{ all: string }>(db, {
    name: 'model fingerprint',
    text: `SELECT concat_ws(' ', ${[...of, ...more].map(rows).join(', ')},
       (SELECT count(*) FROM outbox WHERE workspace_id = $1)) AS "all"`,
    values: [scope.workspaceId],
  });
  return row?.all;
}

/** Ledger, rows, lists, statistics and balances say what the model does. */
export async function compare(shop: Shop, world: World): Promise<void> {
  expect(await storedEntries(shop)).toEqual(modelledEntries(world));
  expect(await storedItems(shop)).toEqual(modelledItems(world));
  expect(await storedRefunds(shop)).toEqual(modelledRefunds(world));
  expect(await storedStats(shop)).toEqual(modelledStats(world));
  for (const partner of world.partners) {
    const balances = await balancesOf(shop.db, [partner.id]);
    const isAny = (balance: object) => Object.values(balance).some((value) => value > 0);
    expect(balances.filter(isAny)).toEqual(modelledBalances(world, partner).filter(isAny));
  }
  for (const entry of world.entries) {
    const open = entry.items.filter(
      ({ status, payout }) => status === 'ready' && payout === entry.payout,
    );
    expect(open.length).toBeLessThanOrEqual(1);
  }
}

const byId = <T extends { id: string }>(rows: T[]): T[] =>
  rows.sort((a, b) => (a.id < b.id ? -1 : 1));

/** The lists' rows beside the sums of the ledger. */
async function storedEntries(shop: Shop): Promise<object[]> {
  const { db, scope, program } = shop;
  const window = { sortBy: 'createdAt', sortOrder: 'desc', page: 1, limit: 100 } as const;
  const selection = { scope, programIds: [program.id], filter: {} };
  const { rows, total } = await listCommissions(db, selection, window);
  expect(total).toBe(rows.length);
  const ledger = await query<{ id: string; cents: number }>(
    db,
    `SELECT commission_id AS id, sum(amount_cents)::bigint AS cents FROM ledger_entries
      WHERE workspace_id = $1 GROUP BY commission_id`,
    [scope.workspaceId],
  );
  const sums = new Map(ledger.map(({ id, cents }) => [id, cents]));
  return byId(
    rows.map((row) => ({
      id: row.id,
      status: row.status,
      amountCents: row.amountCents,
      currency: row.currency,
      heldCents: row.heldCents,
      owedCents: row.owedCents,
      ledgerCents: sums.get(row.id),
      reservedCents: row.reservedCents,
      payoutId: row.payoutId,
      flags: row.reviewReasons.toSorted(),
    })),
  );
}

function modelledEntries({ entries }: World): object[] {
  return byId(
    entries.map((entry) => ({
      id: entry.id,
      status: entry.status,
      amountCents: entry.amountCents,
      currency: entry.of.currency,
      heldCents: entry.heldCents,
      owedCents: entry.owedCents,
      ledgerCents: entry.owedCents,
      reservedCents: entry.reservedCents,
      payoutId: entry.payout?.id ?? null,
      flags: [...entry.flags].sort(),
    })),
  );
}

async function storedItems({ db, scope }: Shop): Promise<object[]> {
  const { rows } = await listPayouts(db, scope, { page: 1, limit: 100 });
  return byId(
    rows.flatMap(({ id: payoutId, status: payout, items }) =>
      items.map(({ id, status, amountCents }) => ({ id, payoutId, payout, status, amountCents })),
    ),
  );
}

function modelledItems({ payouts }: World): object[] {
  return byId(
    payouts.flatMap(({ id: payoutId, items }) => {
      const isSome = (...of: string[]) => items.some(({ status }) => of.includes(status));
      const ended = isSome('paid', 'returned') ? 'completed' : 'cancelled';
      const payout = isSome('ready') ? 'processing' : ended;
      return items.map(({ id, status, amountCents }) => ({
        id,
        payoutId,
        payout,
        status,
        amountCents,
      }));
    }),
  );
}

function storedRefunds({ db, scope }: Shop): Promise<object[]> {
  return query(
    db,
    `SELECT id, refunded_amount_cents AS cents FROM conversions WHERE workspace_id = $1 ORDER BY id`,
    [scope.workspaceId],
  );
}

function modelledRefunds({ payments, reported }: World): object[] {
  return byId(
    payments.flatMap((payment) => {
      const known = reported.get(payment.sale.slot);
      const cents = halfUp(payment.baseCents, payment.returned);
      return known ? [{ id: known.conversionId, cents }] : [];
    }),
  );
}

async function storedStats({ db, scope, program }: Shop): Promise<object> {
  const rows = await commissionStats(db, { scope, programIds: [program.id], filter: {} });
  return Object.fromEntries(
    rows.map((row) => [
      `${row.status} ${row.currency}`,
      [row.commissions, row.needsReview, row.amountCents],
    ]),
  );
}

function modelledStats({ entries }: World): object {
  const stats: Record<string, [number, number, number]> = {};
  for (const entry of entries) {
    const key = `${entry.status} ${entry.of.currency}`;
    const [count, flagged, cents] = stats[key] ?? [0, 0, 0];
    stats[key] = [count + 1, flagged + (entry.flags.size > 0 ? 1 : 0), cents + entry.amountCents];
  }
  return stats;
}

function modelledBalances({ entries, payouts }: World, partner: Partner): object[] {
  return ['eur', 'usd'].map((currency) => {
    const isHis = (of: { partner: Partner; currency: string }) =>
      of.partner === partner && of.currency === currency;
    const own = entries.filter(({ of }) => isHis(of));
    const items = payouts.flatMap((payout) => payout.items).filter(isHis);
    const free = (isCounted: (entry: Entry) => boolean) =>
      sum(own.filter(isCounted).map(({ freeCents }) => freeCents));
    const carried = free((entry) => entry.isCarried);
    const approved = free(
      (entry) => isUndisputed(entry, 'approved') && entry.payout === null && !entry.isDebit,
    );
    const taken = (status: string) =>
      sum(items.filter((item) => item.status === status).map(({ amountCents }) => amountCents));
    return {
      currency,
      pendingCents: free((entry) => isUndisputed(entry, 'pending')),
      approvedCents: approved + Math.max(0, carried),
      inPayoutCents: taken('ready'),
      paidCents: taken('paid'),
      debtCents: Math.max(0, -carried),
      importedCents: 0,
      paidElsewhereCents: 0,
    };
  });
}

const isUndisputed = (entry: Entry, status: string): boolean =>
  entry.status === status && !entry.flags.has('DISPUTED');
