import { payPalReader } from './paypal-report';
import { columnsOf } from './report-columns';
import type { ReadResult, Result, ResultProblem } from './result-row';
import { reportedStatuses, type ReportedStatus } from './status';

/**
 * How to read the rows of a file with this header: of our own format, or PayPal's report, whose columns
 * are found by name. Undefined for a file that is neither.
 */
export function resultReader(header: readonly string[]): ReadResult | undefined {
  const column = columnsOf(header);
  const [reference, status] = [column('itemreference'), column('status')];
  if (!status) return undefined;
  if (!reference) return payPalReader(header);
  const [transactionId, reason] = [column('transactionid'), column('reason')];
  return (row) =>
    readOwn(row.line, {
      reference: reference(row),
      said: status(row) ?? '',
      id: transactionId?.(row) ?? '',
      reason: reason?.(row) ?? null,
    });
}

interface OwnRow {
  reference: string | null;
  said: string;
  id: string;
  reason: string | null;
}

const kinds: Readonly<Record<ReportedStatus, Result['kind']>> = {
  paid: 'paid',
  failed: 'failed',
  returned: 'back',
};

function readOwn(line: number, { said, reference, id, reason }: OwnRow): Result | ResultProblem {
  const status = reportedStatuses.find((one) => one === said.toLowerCase());
  if (!status) {
    return { line, message: `The status must be paid, failed or returned, not "${said}".` };
  }
  if (reference === null) return { line, message: 'There is no itemReference.' };
  const unsaid = { emails: [], currency: null, amountCents: null, of: '', at: '' };
  return { line, reference, ...unsaid, kind: kinds[status], id, reason, isOwn: true };
}
