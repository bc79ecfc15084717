import type { PartitionRule } from './retention';
import { dayMs } from '../values/duration';

export interface Keeping {
  now: Date;
  /** How long clicks are kept; 0: for ever. */
  clickMonths: number;
}

/** Where the part of a moment begins, or that a number of parts later. */
export function startOfPart(step: PartitionRule['step'], moment: Date, later = 0): Date {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  return step === 'day'
    ? new Date(Date.UTC(year, month, moment.getUTCDate() + later))
    : new Date(Date.UTC(year, month + later, 1));
}

/** Parts that end then or before are past their time; undefined when all are kept. */
export function partsKeptSince(
  { keptDays }: Pick<PartitionRule, 'keptDays'>,
  { now, clickMonths }: Keeping,
): Date | undefined {
  if (typeof keptDays === 'number') return new Date(now.getTime() - keptDays * dayMs);
  if (keptDays === 'for ever' || clickMonths === 0) return undefined;
  return startOfPart('month', now, -clickMonths);
}

/** The milliseconds for which the part of a moment has been past its time; 0 when it is not. */
export function msOverdue(
  { step, keptDays }: Pick<PartitionRule, 'step' | 'keptDays'>,
  moment: Date,
  { now, clickMonths }: Keeping,
): number {
  const end = startOfPart(step, moment, 1);
  if (typeof keptDays === 'number')
    return Math.max(0, now.getTime() - end.getTime() - keptDays * dayMs);
  if (keptDays === 'for ever' || clickMonths === 0) return 0;
  return Math.max(0, now.getTime() - startOfPart('month', end, clickMonths).getTime());
}
