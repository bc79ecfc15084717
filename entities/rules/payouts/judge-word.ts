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
  /** Money is out by another batch than this one, too. */
  isPaidElsewhere: boolean;
  /** The word before, in this batch; `wasPaid`: by it the money was out. */
  before: string | null;
  wasPaid: boolean;
  word: string | null;
  /** The payment that is told of is the one that is known here. */
  isKnownPayment: boolean;
  /** Whoever said that it was paid named a transaction. */
  isNamed: boolean;
  /**
   * Whether what the item is paid by is what this batch has told of; `untold`: somebody named a payment, and this
   * batch has told of none.
   */
  payment: 'own' | 'another' | 'untold';
  meaning: WordMeaning;
  /** What a person has looked at: `reason word`. */
  checked: readonly string[];
}

export interface JudgedWord {
  /** What the item becomes; absent: it stays. */
  to?: PayoutItemStatus;
  attention?: ItemAttention;
  /** What becomes of the item in this batch, where the item itself becomes something else or stays. */
  outcome?: BatchOutcome;
}

/** What a word changes. It books what is told of money, and nothing else. */
export function judgeWord(told: WordOf): JudgedWord {
  if (!told.isLastBatch) return judgeEarlier(told);
  const { meaning, status } = told;
  switch (meaning.kind) {
    case 'paid':
      return judgePaid(told);
    case 'failed':
      return judgeFailed(told, meaning.isOurs);
    case 'released':
      if (status === 'paid') return judgeNotPaid(told);
      return status === 'sending' ? { to: 'ready' } : endedOf(told);
    case 'attention':
      return raised(told, meaning.reason);
    default:
      // Somebody has let it go, and it is on its way all the same.
      return status === 'sending' || status === 'paid' ? {} : raised(told, 'word');
  }
}

/**
 * A later batch has the item, or had it: what this one pays, or is about to pay, is paid twice. Where a word does not
 * say whether money is out, it may be.
 */
function judgeEarlier(told: WordOf): JudgedWord {
  const { meaning, outcome } = told;
  switch (meaning.kind) {
    case 'paid':
      return judgeEarlierPaid(told);
    case 'failed':
    case 'released':
      return outcome === 'paid' ? judgeEarlierReturn(told) : {};
    case 'attention':
      return judgeEarlierUnsaid(told, meaning.reason);
    default:
      return isOver(outcome) ? raisedTwice(told) : {};
  }
}

/**
 * What the later batch did not pay would be free for the next payout, whoever has let it go: it is paid by this one.
 * A return that somebody else told of stays when the provider repeats what it said of this very payment.
 */
function judgeEarlierPaid(told: WordOf): JudgedWord {
  const { status, outcome } = told;
  const isFree = status === 'failed' || status === 'returned' || status === 'cancelled';
  if (outcome === 'paid') return isFree ? { outcome, to: 'paid' } : {};
  if (outcome === 'returned' && !isNews(told)) return {};
  return { attention: 'twice', outcome: 'paid', ...(isFree && { to: 'paid' }) };
}

/** Nothing is out by an earlier batch, as far as it was told. */
function isOver(outcome: BatchOutcome): boolean {
  return outcome === 'released' || outcome === 'returned';
}

/** What an earlier payment is by now nobody says: of one that had paid, a part may have come back. */
function judgeEarlierUnsaid(told: WordOf, attention: ItemAttention): JudgedWord {
  if (told.outcome === 'paid') return isNews(told) ? { attention } : {};
  return isOver(told.outcome) ? raisedTwice(told) : {};
}

/**
 * The payment that had paid the item beside a later one. Where that came back before, nothing pays it; where it never
 * paid, somebody said that the item is paid, by this payment or by another one: only they know.
 */
function judgeEarlierReturn({ status, lastOutcome, isPaidElsewhere }: WordOf): JudgedWord {
  const outcome = 'returned';
  if (status !== 'paid' || isPaidElsewhere) return { outcome };
  return lastOutcome === 'returned' ? { outcome, to: outcome } : { outcome, attention: 'word' };
}

/** What this batch did not pay, or got back, was paid in another way: then by both. */
function judgePaidBesides(told: WordOf): JudgedWord {
  const { outcome, isKnownPayment, isPaidElsewhere, payment } = told;
  if (outcome === 'paid') {
    const isUnclear = payment === 'untold' && !isKnownPayment && isNews(told);
    return isUnclear ? { attention: 'twice' } : {};
  }
  if (outcome === 'returned') {
    return { outcome: 'paid', ...(isNews(told) && { attention: 'twice' }) };
  }
  if (isKnownPayment) return { outcome: 'paid' };
  return isPaidElsewhere ? { outcome: 'paid', attention: 'twice' } : raisedTwice(told);
}

/**
 * A return that somebody else told of stays when the provider repeats what it said of this very payment: what came
 * back beside a payment of this batch was another one.
 */
function judgePaid(told: WordOf): JudgedWord {
  const { status, outcome } = told;
  if (status === 'paid') return judgePaidBesides(told);
  const isOfAnother = outcome === 'released' || outcome === 'failed' || outcome === 'paid';
  const isRepeated = !isNews(told) && status === 'returned' && !isOfAnother;
  return isRepeated ? {} : { to: 'paid' };
}

function judgeFailed(told: WordOf, isOurs: boolean): JudgedWord {
  const { status, outcome, isPaidElsewhere } = told;
  // A word that is repeated tells nothing of what was paid since.
  if (status === 'paid') return outcome === 'paid' && !isNews(told) ? {} : judgeNotPaid(told);
  if (status !== 'sending') return endedOf(told);
  if (isOurs) return { to: 'ready' };
  // An earlier batch has paid it: nothing of it is free.
  return isPaidElsewhere ? { to: 'paid', outcome: 'failed' } : { to: 'failed' };
}

/** The payment of this batch has come back, too, of an item that came back before by another one. */
function endedOf({ outcome }: WordOf): JudgedWord {
  return outcome === 'paid' ? { outcome: 'returned' } : {};
}

/**
 * What is paid here did not go, or has come back. What this batch paid is returned, unless another one has paid it
 * besides. What somebody paid in another way, and named, is paid still; without a name it may be this very payment.
 * Where they named one while it was on its way, only they know which it was.
 */
function judgeNotPaid(told: WordOf): JudgedWord {
  const { outcome, wasPaid, isNamed, isPaidElsewhere, payment, isKnownPayment } = told;
  if (outcome === 'paid') {
    if (isPaidElsewhere || payment === 'another') return { outcome: 'returned' };
    const isUnclear = payment === 'untold' && !isKnownPayment;
    return isUnclear ? raised(told, 'word') : { to: 'returned' };
  }
  const isPaidByOthers = isNamed || isPaidElsewhere;
  return wasPaid && !isPaidByOthers ? raised(told, 'word') : {};
}

function isNews({ before, word }: WordOf): boolean {
  return before !== word;
}

/** Another word is another reason to look, whoever has looked before. */
function raisedTwice(told: WordOf): JudgedWord {
  return isNews(told) ? { attention: 'twice' } : raised({ ...told, word: null }, 'twice');
}

function raised({ checked, word }: WordOf, reason: ItemAttention): JudgedWord {
  return checked.includes(checkedKey(reason, word)) ? {} : { attention: reason };
}

/** The key under which a person's look is remembered. */
export function checkedKey(reason: string, word: string | null): string {
  return `${reason} ${word ?? ''}`;
}

/** Attentions that a word ends by which something is booked. */
export const endedByBooking: readonly ItemAttention[] = ['blocked', 'refunded', 'word', 'too_long'];
