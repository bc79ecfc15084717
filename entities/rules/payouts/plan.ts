import { payableUnitOf } from '../values/currency';

/** What a commission brings into a payout: positive when owed, negative when paid too much. */
export interface Payable {
  commissionId: string;
  participantId: string;
  currency: string;
  amountCents: number;
  /** True for a commission that is approved and free: it can be paid by itself. */
  isPayable: boolean;
}

interface PayoutLine {
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
export interface MinPayout {
  currency: string;
  minPayoutCents: number;
}

/**
 * One item per partner and currency: what is owed, with earlier overpayments netted. A partner
 * whose sum is not positive, or below the programme's least payout, gets none and carries it on; so
 * does a commission with which the sum would be more than a number holds exactly.
 */
export function planPayout(payables: readonly Payable[], min: MinPayout): PlannedItem[] {
  const items = new Map<string, PlannedItem>();
  for (const { commissionId, participantId, currency, amountCents } of payables) {
    const key = keyOf({ participantId, currency });
    const item = items.get(key) ?? { participantId, currency, amountCents: 0, lines: [] };
    if (!Number.isSafeInteger(item.amountCents + amountCents)) continue;
    item.amountCents += amountCents;
    item.lines.push({ commissionId, amountCents });
    items.set(key, item);
  }
  return [...items.values()]
    .filter(({ amountCents, currency }) => amountCents >= floorOf(currency, min))
    .map(inWholeUnits);
}

/** The least that an item pays, in minor units. */
export function floorOf(currency: string, min: MinPayout): number {
  const unit = payableUnitOf(currency);
  return currency === min.currency ? Math.max(unit, min.minPayoutCents) : unit;
}

/** What is left over of a whole unit is taken off the last lines, and stays owed for them. */
function inWholeUnits(item: PlannedItem): PlannedItem {
  let over = item.amountCents % payableUnitOf(item.currency);
  const amountCents = item.amountCents - over;
  const lines = item.lines.toReversed().flatMap((line) => {
    const off = Math.max(0, Math.min(over, line.amountCents));
    over -= off;
    const rest = line.amountCents - off;
    return off > 0 && rest === 0 ? [] : [{ ...line, amountCents: rest }];
  });
  return { ...item, amountCents, lines: lines.reverse() };
}

/** What is due to a partner in a currency, all debts netted, those left out of `payables` too. */
export interface DueSum {
  participantId: string;
  currency: string;
  dueCents: number;
}

export interface PayoutBounds {
  max: number;
  min: MinPayout;
  due: readonly DueSum[];
}

/**
 * Chooses among more than one payout can take, in the order given: no item pays more than is due to its
 * partner, and debts are netted as soon as the item still reaches the least payout. What is left out
 * is due, or owed back, at the next one.
 */
export function choosePayables(
  payables: readonly Payable[],
  { max, min, due }: PayoutBounds,
): Payable[] {
  const groups = groupsOf(payables, due, min);
  const taken: Payable[] = [];
  for (const one of payables.filter(({ amountCents }) => amountCents >= 0)) {
    const group = groups.get(keyOf(one));
    const first = group && debtsBefore(group, one, max - taken.length - 1);
    if (!group || first === undefined) continue;
    const netted = group.debts.splice(group.debts.length - first, first);
    group.sumCents += sumOf([...netted, one]);
    taken.push(...netted, one);
    while (taken.length < max) {
      const debt = group.debts.at(-1);
      if (!debt || group.sumCents + debt.amountCents < group.floorCents) break;
      group.debts.pop();
      group.sumCents += debt.amountCents;
      taken.push(debt);
    }
  }
  return taken;
}

/** How many debts have to go with it, so that no more is paid than is due; undefined: no room. */
function debtsBefore(group: Group, one: Payable, room: number): number | undefined {
  const { debts, dueCents } = group;
  let sum = group.sumCents + one.amountCents;
  let count = 0;
  for (; sum > dueCents; count += 1) {
    const debt = debts.at(-1 - count);
    if (!debt) return undefined;
    sum += debt.amountCents;
  }
  return count <= room ? count : undefined;
}

function sumOf(all: readonly Payable[]): number {
  return all.reduce((sum, { amountCents }) => sum + amountCents, 0);
}

interface Group {
  dueCents: number;
  /** The least that an item pays. */
  floorCents: number;
  sumCents: number;
  /** The largest last. */
  debts: Payable[];
}

function groupsOf(
  payables: readonly Payable[],
  due: readonly DueSum[],
  min: MinPayout,
): Map<string, Group> {
  const groups = new Map(due.map((sum) => [keyOf(sum), groupOf(sum, min)]));
  for (const one of payables) if (one.amountCents < 0) groups.get(keyOf(one))?.debts.push(one);
  for (const { debts } of groups.values()) debts.sort((a, b) => b.amountCents - a.amountCents);
  return groups;
}

function groupOf({ currency, dueCents }: DueSum, min: MinPayout): Group {
  const floorCents = floorOf(currency, min);
  return { dueCents, floorCents, sumCents: 0, debts: [] };
}

function keyOf({ participantId, currency }: Pick<Payable, 'participantId' | 'currency'>): string {
  return `${participantId} ${currency}`;
}
