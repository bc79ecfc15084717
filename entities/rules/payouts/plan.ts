/** What a commission brings into a payout: positive when owed, negative when paid too much. */
export interface Payable {
  commissionId: string;
  participantId: string;
  currency: string;
  amountCents: number;
  /** Approved and free: it can be paid by itself. */
  isPayable: boolean;
}

export interface PayoutLine {
  commissionId: string;
  amountCents: number;
}

export interface PlannedItem {
  participantId: string;
  currency: string;
  amountCents: number;
  lines: PayoutLine[];
}

/** The least payout counts in the programme's own currency; others have none. */
export interface LeastPayout {
  currency: string;
  minPayoutCents: number;
}

/**
 * One item per partner and currency: what is owed, with earlier overpayments netted. A partner
 * whose sum is not positive, or below the programme's least payout, gets none and carries it on; so
 * does a commission with which the sum would be more than a number holds exactly.
 */
export function planPayout(payables: readonly Payable[], least: LeastPayout): PlannedItem[] {
  const items = new Map<string, PlannedItem>();
  for (const { commissionId, participantId, currency, amountCents } of payables) {
    const key = keyOf({ participantId, currency });
    const item = items.get(key) ?? { participantId, currency, amountCents: 0, lines: [] };
    if (!Number.isSafeInteger(item.amountCents + amountCents)) continue;
    item.amountCents += amountCents;
    item.lines.push({ commissionId, amountCents });
    items.set(key, item);
  }
  return [...items.values()].filter(
    ({ amountCents, currency }) =>
      amountCents > 0 && (currency !== least.currency || amountCents >= least.minPayoutCents),
  );
}

/** What is due to a partner in a currency, all debts netted, those left out of `payables` too. */
export interface DueSum {
  participantId: string;
  currency: string;
  dueCents: number;
}

export interface PayoutBounds {
  most: number;
  least: LeastPayout;
  due: readonly DueSum[];
}

/**
 * Of more than one payout can take, in the order given: no item pays more than is due to its
 * partner, and debts are netted as soon as the item still reaches the least payout. What is left out
 * is due, or owed back, at the next one.
 */
export function choosePayables(
  payables: readonly Payable[],
  { most, least, due }: PayoutBounds,
): Payable[] {
  const groups = new Map(due.map((sum) => [keyOf(sum), groupOf(sum, least)]));
  for (const one of payables) if (one.amountCents < 0) groups.get(keyOf(one))?.debts.push(one);
  for (const { debts } of groups.values()) debts.sort((a, b) => b.amountCents - a.amountCents);

  const taken: Payable[] = [];
  const hasRoom = (): boolean => taken.length < most;
  const take = (group: Group, one: Payable): void => {
    group.sumCents += one.amountCents;
    taken.push(one);
  };
  for (const one of payables.filter(({ amountCents }) => amountCents >= 0)) {
    const group = groups.get(keyOf(one));
    if (!group) continue;
    while (group.sumCents + one.amountCents > group.dueCents && group.debts.length > 0 && hasRoom())
      take(group, group.debts.pop() as Payable);
    if (group.sumCents + one.amountCents > group.dueCents || !hasRoom()) continue;
    take(group, one);
    while (
      hasRoom() &&
      group.sumCents + (group.debts.at(-1)?.amountCents ?? -Infinity) >= group.floorCents
    )
      take(group, group.debts.pop() as Payable);
  }
  return taken;
}

interface Group {
  dueCents: number;
  /** The least that an item pays. */
  floorCents: number;
  sumCents: number;
  /** The largest last. */
  debts: Payable[];
}

function groupOf({ currency, dueCents }: DueSum, least: LeastPayout): Group {
  const floorCents = Math.max(1, currency === least.currency ? least.minPayoutCents : 0);
  return { dueCents, floorCents, sumCents: 0, debts: [] };
}

function keyOf({ participantId, currency }: Pick<Payable, 'participantId' | 'currency'>): string {
  return `${participantId} ${currency}`;
}
