import { sourcesOf, type Moves } from '../values/moves';

export const stripeEventStatuses = [
  'received',
  'retrying',
  'processed',
  'ignored',
  'waiting',
  'failed',
] as const;
export type StripeEventStatus = (typeof stripeEventStatuses)[number];

export type StripeEventTrigger =
  /** It was processed, with or without an effect. */
  | 'process'
  /** An attempt failed; another one follows. */
  | 'fail'
  /** No attempt follows. */
  | 'give_up'
  /** Stripe sent it once more. */
  | 'arrive_again'
  /** A member or key has it processed once more. */
  | 'replay'
  /** Its payment became a conversion: what it says has its effect. */
  | 'settle'
  /** The same by a merchant's own report: now its fee is worth asking for. */
  | 'ask_for_fee'
  /** It is time to ask Stripe once more what it did not know yet. */
  | 'ask_again'
  /** The payment that it waited for has arrived and is nothing of ours. */
  | 'dismiss';

/** Every move there is. An event of the other mode is stored as ignored at once. */
export const stripeEventMoves: Moves<StripeEventStatus, StripeEventTrigger> = {
  received: {
    process: ['processed', 'ignored', 'waiting'],
    fail: ['retrying'],
    give_up: ['failed'],
  },
  retrying: {
    process: ['processed', 'ignored', 'waiting'],
    fail: ['retrying'],
    give_up: ['failed'],
  },
  processed: { replay: ['received'] },
  ignored: { replay: ['received'], settle: ['processed'], ask_for_fee: ['received'] },
  waiting: {
    replay: ['received'],
    settle: ['processed'],
    ask_for_fee: ['received'],
    ask_again: ['received'],
    dismiss: ['ignored'],
  },
  failed: { replay: ['received'], arrive_again: ['received'] },
};

/** The statuses of events on which a workflow works. */
export const openStripeEvents = sourcesOf(stripeEventMoves, 'process');
