import type { Moves } from '../values/moves';

export const payoutStatuses = ['processing', 'completed', 'cancelled'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

export const payoutTriggers = ['complete', 'cancel'] as const;
export type PayoutTrigger = (typeof payoutTriggers)[number];

/** Every move there is: a payout ends once, and stays as it ended. */
export const payoutMoves: Moves<PayoutStatus, PayoutTrigger> = {
  processing: { complete: ['completed'], cancel: ['cancelled'] },
  completed: {},
  cancelled: {},
};
