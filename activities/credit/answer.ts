import type { Credit, Payment } from '../../entities/rules/payments/credit';
import type { CreditedTimeline } from '../../entities/rules/payments/timeline';
import type { TimelineRow } from './timeline';

/** What became of a payment: `elsewhere` is of a programme that takes no sales of its processor's. */
export type Answer = Credit['kind'] | 'elsewhere';

/** A timeline with what the rule says of it. */
export interface AskedTimeline {
  rows: Map<string, TimelineRow>;
  /** The payments in the order of their time. */
  payments: readonly Payment[];
  credited: CreditedTimeline;
  answers: Map<string, Answer>;
}
