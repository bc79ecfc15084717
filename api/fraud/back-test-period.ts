import type { FieldProblem } from '../../entities/errors';
import { dayMs } from '../../entities/rules/values/duration';
import { dateRange } from '../../entities/rules/values/instant';

interface GivenPeriod {
  from: string;
  to: string;
}

/** What is wrong with a period whose ends are right by themselves. */
export function periodProblems(given: GivenPeriod): FieldProblem[] {
  if (new Date(given.from) > new Date(given.to)) {
    return [{ field: 'from', message: 'must not be after to' }];
  }
  const { from, to } = backTestPeriod(given);
  if (to.getTime() - from.getTime() <= 30 * dayMs) return [];
  return [{ field: 'to', message: 'must be at most 30 days after from' }];
}

/** Half-open; whole days are both inclusive. */
export function backTestPeriod(given: GivenPeriod): { from: Date; to: Date } {
  const { from, to } = dateRange({ dateFrom: given.from, dateTo: given.to });
  if (!from || !to) throw new Error('a period needs both its ends');
  return { from, to };
}
