import type { ParticipantStatus } from './participant-status';

export interface Debt {
  currency: string;
  /** What is owed: positive minor units. */
  amountCents: number;
}

/** What the same address left behind in the programme when its account was erased. */
export interface Earlier {
  status: ParticipantStatus;
  debts: Debt[];
}

/** An erased participation of the address. */
export interface Departed extends Earlier {
  /** A merchant erased it, or the person their whole account. */
  erasedBy: 'merchant' | 'person';
}

const held: readonly ParticipantStatus[] = ['suspended', 'rejected'];

/**
 * What a member has to look at before this address takes part again: the gravest status of those
 * before, and all that is owed. Null: nothing is open.
 */
export function earlierOf(departed: readonly Departed[]): Earlier | null {
  const open = departed.filter(({ status, debts }) => held.includes(status) || debts.length > 0);
  const [first] = open;
  if (!first) return null;
  const status = held.find((one) => open.some((before) => before.status === one)) ?? first.status;
  return { status, debts: sumOf(open.flatMap(({ debts }) => debts)) };
}

function sumOf(debts: readonly Debt[]): Debt[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of debts) {
    sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  }
  return [...sums]
    .map(([currency, amountCents]) => ({ currency, amountCents }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** Whether the address may not come back at all: a merchant erased it there. */
export function isErasedByMerchant(departed: readonly Departed[]): boolean {
  return departed.some(({ erasedBy }) => erasedBy === 'merchant');
}
