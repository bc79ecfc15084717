import type { JudgedResults, ResultItem } from '../../entities/rules/payouts/judged-results';
import type { ReadRow } from '../../entities/rules/payouts/result-row';
import { resultReader } from '../../entities/rules/payouts/results';
import { judgeInSteps } from '../../entities/rules/payouts/judge-results';

/** Rows of a report under this header, the first on line 2. */
export function rowsUnder(header: readonly string[], rows: readonly string[][]): ReadRow[] {
  const read = resultReader(header);
  if (!read) throw new Error('the header is none of a report');
  return rows.map((cells, at) => read({ line: at + 2, cells }));
}

/** Rows of our own columns: reference, status, transaction, reason. */
export const ownRows = (...rows: string[][]): ReadRow[] =>
  rowsUnder(['itemReference', 'status', 'transactionId', 'reason'], rows);

/** An item as it is once what was judged of it is booked. */
export function itemAfter(one: ResultItem, { changes, notes }: JudgedResults): ResultItem {
  const told = notes.find(({ itemId }) => itemId === one.id)?.reports ?? [];
  const own = changes.filter(({ itemId }) => itemId === one.id);
  return own.reduce<ResultItem>(
    (now, { to: status, transactionId }) => ({
      ...now,
      status,
      transactionId: (status === 'returned' ? null : transactionId) ?? now.transactionId,
    }),
    { ...one, reports: [...one.reports, ...told] },
  );
}

/** What the rows of a report change, without a pause. */
export function judgeResults(...given: Parameters<typeof judgeInSteps>): JudgedResults {
  const steps = judgeInSteps(...given);
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}
