import type { Scope } from '../../entities/rules/values/mode';
import type { ConversionReport } from './report';

/** A report on its way, under the id that its conversion will have. */
export interface Submission {
  scope: Scope;
  report: ConversionReport;
  id: string;
  now: Date;
  /**
   * The time at which a biller first told of this payment, where that was before the report: its terms and its
   * hold begin then.
   */
  firstToldAt?: Date | undefined;
  requestId?: string | undefined;
}
