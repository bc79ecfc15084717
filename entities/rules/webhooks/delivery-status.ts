import { sourcesOf, type Moves } from '../values/moves';

export const deliveryStatuses = [
  'pending',
  'retrying',
  'succeeded',
  'dead_letter',
  'cancelled',
] as const;

export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type DeliveryTrigger =
  /** An attempt was made. */
  | 'attempt'
  /** A merchant has a dead letter sent again. */
  | 'requeue'
  /** An operator ends its retries. */
  | 'give_up'
  /** The endpoint takes nothing any more, or nothing of the kind. */
  | 'close'
  /** The event is no longer kept. */
  | 'expire';

/** Every move there is. A replay is a delivery of its own. */
export const deliveryMoves: Moves<DeliveryStatus, DeliveryTrigger> = {
  pending: {
    attempt: ['succeeded', 'retrying', 'dead_letter', 'cancelled'],
    close: ['cancelled'],
    expire: ['cancelled'],
  },
  retrying: {
    attempt: ['succeeded', 'retrying', 'dead_letter', 'cancelled'],
    give_up: ['dead_letter'],
    close: ['cancelled'],
    expire: ['cancelled'],
  },
  succeeded: {},
  dead_letter: { requeue: ['pending'] },
  cancelled: {},
};

/** What still has attempts before it. */
export const openDeliveries = sourcesOf(deliveryMoves, 'attempt');
