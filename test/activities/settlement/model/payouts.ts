import type { Entry, Partner } from './entries';
import { sum } from './payments';

export const minPayoutCents = 600;

export interface Payout {
  id: string;
  items: Item[];
}

type ItemStatus = 'ready' | 'paid' | 'failed' | 'returned' | 'cancelled';

/** What a partner gets in one currency, and what it takes of each entry. */
export class Item {
  id = '';
  status: ItemStatus = 'ready';
  /** Counts up: of two that were paid, the later. */
  paidAt = 0;

  constructor(
    readonly payout: Payout,
    readonly partner: Partner,
    readonly currency: string,
    readonly lines: ReadonlyMap<Entry, number>,
  ) {}

  get amountCents(): number {
    return sum([...this.lines.values()]);
  }

  /** The statuses that a report may bring it to. */
  get canBecome(): readonly ItemStatus[] {
    if (this.status === 'ready') return ['paid', 'failed'];
    return this.status === 'paid' ? ['returned'] : ['paid'];
  }
}

/**
 * What a payout would take: groups of a partner and a currency that come to enough. Without names
 * those too of whom only an underpayment is left, and none of who is suspended.
 */
export function planOf(entries: readonly Entry[], named: ReadonlySet<Entry> | null): Entry[][] {
  const carried = entries.filter((entry) => entry.isCarried && entry.hasPayee);
  const paying = entries.filter(({ isPayable }) => isPayable);
  const taken = named
    ? [...paying.filter((entry) => named.has(entry)), ...carried]
    : [...paying, ...carried].filter(({ of }) => !of.partner.isSuspended);
  const places = new Set(taken.filter((entry) => !named || named.has(entry)).map(placeOf));
  const groups = [...places].map((place) => taken.filter((entry) => placeOf(entry) === place));
  return groups.filter((group) => {
    const cents = sum(group.map(({ freeCents }) => freeCents));
    return cents >= (group[0]?.of.currency === 'usd' ? minPayoutCents : 1);
  });
}

export const placeOf = ({ of: { partner, currency } }: Entry): string =>
  `${partner.index} ${currency}`;

/** Takes the groups: what is approved and free belongs to the payout, the rest is netted. */
export function takeInto(payout: Payout, groups: readonly Entry[][]): void {
  for (const group of groups) {
    const lines = new Map(group.map((entry) => [entry, entry.freeCents]));
    const [{ of }] = group as [Entry];
    const item = new Item(payout, of.partner, of.currency, lines);
    payout.items.push(item);
    for (const entry of group) {
      entry.items.push(item);
      if (entry.status === 'approved' && entry.payout === null) entry.payout = payout;
    }
  }
}

let moment = 0;

/** Moves an item; the entries that it took follow. */
export function moveItem(item: Item, to: ItemStatus): void {
  const from = item.status;
  item.status = to;
  if (to === 'paid') item.paidAt = moment += 1;
  for (const [entry, cents] of item.lines) {
    if (to === 'returned') giveBack(entry, item);
    else if (to !== 'paid') letGo(entry, item);
    else if (from !== 'ready') payLate(entry, item, cents);
    else if (isOwn(entry, item)) entry.base = 'paid';
    if (to !== 'paid' || from !== 'ready') entry.settle();
  }
}

const isOwn = (entry: Entry, item: Item): boolean =>
  entry.payout === item.payout && entry.status === 'approved';

/** The last item of another payout by which it was paid. */
function paidBy(entry: Entry, item: Item): Item | undefined {
  return entry.items
    .filter((one) => one.payout !== item.payout && one.status === 'paid')
    .filter((one) => isPaidWith(entry, one.lines.get(entry) ?? 0))
    .sort((a, b) => b.paidAt - a.paidAt)[0];
}

/** An adjustment that was netted is paid with the money; what a refund took back of a sale is not. */
function isPaidWith({ of }: Entry, cents: number): boolean {
  return cents >= 0 || of.payment === null;
}

function letGo(entry: Entry, item: Item): void {
  if (!isOwn(entry, item)) return;
  const other = paidBy(entry, item);
  entry.payout = other?.payout ?? null;
  if (other) entry.base = 'paid';
}

function giveBack(entry: Entry, item: Item): void {
  if (entry.payout !== item.payout) return;
  const other = paidBy(entry, item);
  if (other) entry.payout = other.payout;
  else if (entry.base === 'paid') {
    entry.payout = null;
    entry.base = 'approved';
  }
}

function payLate(entry: Entry, item: Item, cents: number): void {
  if (!isPaidWith(entry, cents)) return;
  if (entry.payout !== null || entry.rejectedAtCents !== null) return;
  if (entry.base !== 'approved') return;
  entry.base = 'paid';
  entry.payout = item.payout;
}
