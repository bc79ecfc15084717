import type { Scope } from '../../entities/rules/values/mode';
import type { ConversionReport } from './report';

/** A report on its way, under the id that its conversion will have. */
export interface Submission {
  scope: Scope;
  report: ConversionReport;
  id: string;
  now: Date;
  /** When a biller first told of this payment, before the report; its terms and its hold are of then. */
  firstToldAt?: Date | undefined;
  requestId?: string | undefined;
}
