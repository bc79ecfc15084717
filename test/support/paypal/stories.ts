import fc from 'fast-check';
import type { ResultItem } from '../../../entities/rules/payouts/judged-results';

/**
 * What happened to one payment at PayPal: it went out at once, or waited to be claimed and was claimed
 * or went back, or was denied; what had arrived may have come back later.
 */
export type Fate =
  | 'completed'
  | 'claimed'
  | 'unclaimed'
  | 'went back'
  | 'denied'
  | 'came back'
  | 'denied later';

export const fates: readonly Fate[] = [
  ...([
    'completed',
    'claimed',
    'unclaimed',
    'went back',
    'denied',
    'came back',
    'denied later',
  ] as const),
];

/** What an item is after its payment has met its fate, whatever anybody uploaded. */
export const truths: Readonly<Record<Fate, ResultItem['status']>> = {
  completed: 'paid',
  claimed: 'paid',
  unclaimed: 'ready',
  'went back': 'failed',
  denied: 'failed',
  'came back': 'returned',
  'denied later': 'returned',
};

/** How a merchant's report writes its rows: the story is the same. */
export interface Manner {
  hasReference: boolean;
  hasLink: boolean;
  /** Money that comes back stands with a plus, a minus, or none. */
  sign: '' | '-' | '+';
  backType: string;
  newestFirst: boolean;
  dayFirst: boolean;
}

export const anyManner: fc.Arbitrary<Manner> = fc.record({
  hasReference: fc.boolean(),
  hasLink: fc.boolean(),
  sign: fc.constantFrom('', '-', '+'),
  backType: fc.constantFrom('Mass Pay Reversal', 'Payment Refund', 'Payment Reversal', 'Reversal'),
  newestFirst: fc.boolean(),
  dayFirst: fc.boolean(),
});

export interface StoryItem {
  reference: string;
  email: string;
  currency: string;
  /** The amount as a file writes it: `20.00`. */
  amount: string;
  transactionId: string;
  fate: Fate;
  /** The first event's time, from the report's beginning. */
  day: number;
}

const header = [
  ...['Date', 'Time', 'Type', 'Status', 'Currency', 'Gross', 'Transaction ID', 'Reference Txn ID'],
  ...['From Email Address', 'To Email Address', 'Custom Number'],
];

interface Event {
  day: number;
  type: string;
  status: string;
  gross: string;
  id: string;
  of: string;
  from: string;
  to: string;
}

/** One row for each thing that happened, as the processor's report has it. */
function eventsOf(item: StoryItem, { sign, backType }: Manner): Event[] {
  const { transactionId: id, email, day, amount, fate } = item;
  const ours = 'shop@merchant.example';
  const out = { type: 'Mass Pay Payment', gross: `-${amount}`, id, of: '', from: ours, to: email };
  const back = { type: backType, gross: `${sign}${amount}`, of: id, from: email, to: ours };
  const sent = (status: string, after = 0): Event => ({ ...out, day: day + after, status });
  const returned = (after: number): Event => ({
    ...{ ...back, id: `${id}R`, status: 'Completed', day: day + after },
  });
  const stories: Record<Fate, Event[]> = {
    completed: [sent('Completed')],
    claimed: [sent('Unclaimed'), sent('Completed', 3)],
    unclaimed: [sent('Unclaimed')],
    'went back': [sent('Unclaimed'), returned(30)],
    denied: [sent('Pending'), sent('Denied', 1)],
    'came back': [sent('Completed'), returned(5)],
    'denied later': [sent('Completed'), sent('Denied', 2)],
  };
  const fee = { ...sent('Completed'), type: 'Mass Pay Fee', gross: '-0.25', id: `${id}F` };
  return [...stories[fate], fee];
}

/** The rows of a report, and the header before them. */
export function reportOf(items: readonly StoryItem[], manner: Manner): string[][] {
  const events = items
    .flatMap((item) => eventsOf(item, manner).map((event) => ({ item, event })))
    .sort((a, b) => a.event.day - b.event.day);
  const rows = events.map(({ item, event }) => [
    ...[dateOf(event.day, manner), '10:00:00', event.type, event.status],
    ...[item.currency.toUpperCase(), event.gross, event.id, manner.hasLink ? event.of : ''],
    ...[event.from, event.to, manner.hasReference ? item.reference : ''],
  ]);
  return [header, ...(manner.newestFirst ? rows.toReversed() : rows)];
}

function dateOf(day: number, { dayFirst }: Manner): string {
  const date = new Date(Date.UTC(2026, 2, 1 + day));
  const [month, ofMonth] = [date.getUTCMonth() + 1, date.getUTCDate()];
  return dayFirst ? `${ofMonth}/${month}/2026` : `${month}/${ofMonth}/2026`;
}
