import type { BatchOutcome, ItemAttention } from './batch-status';
import type { PayoutItemStatus } from './status';

/** What a provider's word says of the money (runtime/payout-providers). */
export type WordMeaning =
  | { kind: 'paid' | 'open' | 'unclaimed' | 'released' }
  | { kind: 'failed'; isOurs: boolean }
  | { kind: 'attention'; reason: 'blocked' | 'refunded' | 'word' };

export interface WordOf {
  status: PayoutItemStatus;
  /** Of this batch: an item follows the last batch that it was in. */
  isLastBatch: boolean;
  outcome: BatchOutcome;
  /** The word before, in this batch. */
  before: string | null;
  word: string | null;
  /** The payment that is told of is the one that is known here. */
  isKnownPayment: boolean;
  meaning: WordMeaning;
  /** What a person has looked at: `reason word`. */
  checked: readonly string[];
}

export interface JudgedWord {
  /** What the item becomes; absent: it stays. */
  to?: PayoutItemStatus;
  attention?: ItemAttention;
  /** Of this batch, where the item itself follows another one. */
  outcome?: BatchOutcome;
}

/** What a word changes. It books what is told of money, and nothing else. */
export function judgeWord(told: WordOf): JudgedWord {
  if (!told.isLastBatch) return judgeEarlier(told);
  const { meaning } = told;
  switch (meaning.kind) {
    case 'paid':
      return judgePaid(told);
    case 'failed':
      return judgeFailed(told, meaning.isOurs);
    case 'released':
      return told.status === 'sending' ? { to: 'ready' } : {};
    case 'attention':
      return raised(told, meaning.reason);
    default:
      // Somebody has said that nothing was sent, and it is on its way all the same.
      return told.status === 'ready' ? raised(told, 'word') : {};
  }
}

/** A later batch has the item: what this one pays is paid twice, or will be. */
function judgeEarlier(told: WordOf): JudgedWord {
  if (told.meaning.kind !== 'paid' || told.outcome === 'paid') return {};
  return { ...raised({ ...told, word: null }, 'twice'), outcome: 'paid' };
}

/** What this batch did not pay was paid in another way: then by both. */
function judgePaidBesides(told: WordOf): JudgedWord {
  const isBesides = told.outcome === 'released' && !told.isKnownPayment;
  return isBesides ? raised({ ...told, word: null }, 'twice') : {};
}

/** A return that somebody else told of stays when the provider repeats what it said before. */
function judgePaid(told: WordOf): JudgedWord {
  const { status, before, word } = told;
  if (status === 'paid') return judgePaidBesides(told);
  const isRepeated = before === word && status === 'returned';
  return isRepeated ? {} : { to: 'paid' };
}

/**
 * What this batch paid has come back. What somebody paid in another way, since it failed here, has not: neither a
 * word that is repeated nor one of a batch that paid nothing tells of that money.
 */
function judgeFailed({ status, outcome, before, word }: WordOf, isOurs: boolean): JudgedWord {
  if (status === 'paid') return outcome === 'paid' && before !== word ? { to: 'returned' } : {};
  if (status !== 'sending') return {};
  return { to: isOurs ? 'ready' : 'failed' };
}

function raised({ checked, word }: WordOf, reason: ItemAttention): JudgedWord {
  return checked.includes(checkedKey(reason, word)) ? {} : { attention: reason };
}

/** As what a person's look is remembered. */
export function checkedKey(reason: string, word: string | null): string {
  return `${reason} ${word ?? ''}`;
}

/** Attentions that a word ends by which something is booked. */
export const endedByBooking: readonly ItemAttention[] = ['blocked', 'refunded', 'word', 'too_long'];
