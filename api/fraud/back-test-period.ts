import { validationError } from '../../entities/errors';
import { dateRange } from '../../entities/rules/values/instant';

const maxPeriodMs = 30 * 86_400_000;

/** Half-open, at most 30 days; whole days are both inclusive. */
export function backTestPeriod(body: { from: string; to: string }): { from: Date; to: Date } {
  const { from, to } = dateRange({ dateFrom: body.from, dateTo: body.to });
  const isBackwards = new Date(body.from) > new Date(body.to);
  if (!from || !to || isBackwards) throw validationError('from', 'must not be after to');
  if (to.getTime() - from.getTime() > maxPeriodMs) {
    throw validationError('to', 'must be at most 30 days after from');
  }
  return { from, to };
}
