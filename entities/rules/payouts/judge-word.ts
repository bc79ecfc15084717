import type { BatchOutcome, ItemAttention } from './batch-status';
import type { PayoutItemStatus } from './status';

/** What a provider's word says of the money (runtime/payout-providers). */
export type WordMeaning =
  | { kind: 'paid' | 'open' | 'unclaimed' | 'released' }
  | { kind: 'failed'; isOurs: boolean }
  | { kind: 'attention'; reason: 'blocked' | 'refunded' | 'word' };

export interface WordOf {
  status: PayoutItemStatus;
  /** This batch is the item's last: an item follows the last batch that it was in. */
  isLastBatch: boolean;
  outcome: BatchOutcome;
  /** What became of the batch that the item follows. */
  lastOutcome: BatchOutcome;
  /** By another batch than this one money is out, too. */
  isPaidElsewhere: boolean;
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
  /** What becomes of this batch, where the item itself does not follow. */
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
      // Somebody has let it go, and it is on its way all the same.
      return told.status === 'sending' || told.status === 'paid' ? {} : raised(told, 'word');
  }
}

/** A later batch has the item, or had it: what this one pays, or is about to pay, is paid twice. */
function judgeEarlier(told: WordOf): JudgedWord {
  const { meaning, outcome } = told;
  switch (meaning.kind) {
    case 'paid':
      return outcome === 'paid' ? {} : { attention: 'twice', outcome: 'paid' };
    case 'failed':
      return outcome === 'paid' ? judgeEarlierReturn(told) : {};
    case 'open':
    case 'unclaimed':
      return outcome === 'released' ? raised({ ...told, word: null }, 'twice') : {};
    default:
      return {};
  }
}

/** The payment that had paid the item beside a later one, which came back before. */
function judgeEarlierReturn({ status, lastOutcome, isPaidElsewhere }: WordOf): JudgedWord {
  const isLast = status === 'paid' && lastOutcome === 'returned' && !isPaidElsewhere;
  return { outcome: 'returned', ...(isLast && { to: 'returned' }) };
}

/** What this batch did not pay, or got back, was paid in another way: then by both. */
function judgePaidBesides(told: WordOf): JudgedWord {
  const { outcome, isKnownPayment, before, word } = told;
  if (outcome === 'paid') return {};
  if (outcome === 'returned') {
    return { outcome: 'paid', ...(before !== word && { attention: 'twice' }) };
  }
  return isKnownPayment ? { outcome: 'paid' } : raised({ ...told, word: null }, 'twice');
}

/** A return that somebody else told of stays when the provider repeats what it said of this very payment. */
function judgePaid(told: WordOf): JudgedWord {
  const { status, outcome, before, word } = told;
  if (status === 'paid') return judgePaidBesides(told);
  const isOfAnother = outcome === 'released' || outcome === 'failed';
  const isRepeated = before === word && status === 'returned' && !isOfAnother;
  return isRepeated ? {} : { to: 'paid' };
}

/**
 * What this batch paid has come back. What somebody paid in another way, since it failed here, has not: neither a
 * word that is repeated nor one of a batch that paid nothing tells of that money. What another batch has paid
 * besides is paid still.
 */
function judgeFailed(told: WordOf, isOurs: boolean): JudgedWord {
  const { status, outcome, before, word } = told;
  if (status === 'paid') {
    if (outcome !== 'paid' || before === word) return {};
    return told.isPaidElsewhere ? { outcome: 'returned' } : { to: 'returned' };
  }
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
