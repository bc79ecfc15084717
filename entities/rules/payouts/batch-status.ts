export const payoutBatchStatuses = ['trying', 'taken', 'ended', 'refused', 'attention'] as const;
export type PayoutBatchStatus = (typeof payoutBatchStatuses)[number];

/** What became of an item by one batch; `released`: nothing was taken, it is ready again. */
export const batchOutcomes = ['sending', 'released', 'paid', 'failed', 'returned'] as const;
export type BatchOutcome = (typeof batchOutcomes)[number];

/** Why a person has to look at a whole batch; its items say the same. */
export const batchAttentions = ['unanswered', 'differs', 'vanished'] as const;
export type BatchAttention = (typeof batchAttentions)[number];

/** Why a person has to look at an item. */
export const itemAttentions = [
  ...batchAttentions,
  'word',
  'blocked',
  'refunded',
  'too_long',
  'twice',
  'restored',
] as const;
export type ItemAttention = (typeof itemAttentions)[number];

/**
 * Why a person has to look is said by one reason: what may have been paid besides comes first, then what may have
 * been paid by a batch that nobody knows here. A word of the provider's, which its next one ends, hides no other.
 */
const weights: Readonly<Record<ItemAttention, number>> = {
  ...{ twice: 3, restored: 2, unanswered: 1, differs: 1, vanished: 1 },
  ...{ word: 0, blocked: 0, refunded: 0, too_long: 0 },
};

/** The reasons in whose place this one may stand. */
export function replacedBy(reason: ItemAttention): ItemAttention[] {
  return itemAttentions.filter((one) => one !== reason && weights[one] <= weights[reason]);
}

/** What is kept of a provider's last answer. */
export interface BatchAnswer {
  /** ISO instant. */
  at: string;
  httpStatus: number | null;
  name: string | null;
  message: string | null;
  debugId: string | null;
}

export function isBatchAttention(reason: string | null): reason is BatchAttention {
  return (batchAttentions as readonly (string | null)[]).includes(reason);
}
