import type { Scope } from '../../entities/rules/values/mode';
import type { ConversionReport } from './report';

/** A report on its way, under the id that its conversion will have. */
export interface Submission {
  scope: Scope;
  report: ConversionReport;
  id: string;
  now: Date;
  requestId?: string | undefined;
}
