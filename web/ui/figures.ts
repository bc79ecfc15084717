import type { TiersDto } from '../session/records';
import { programme as programmeWords } from '../text/en/app/programme';
import { formatCount, formatMoney } from './format';

const { figures } = programmeWords;

/** What may be counted of what a partner brings. */
export const metrics = ['customers', 'conversions', 'revenue'] as const;

/** `10 customers`, `4 sales`, or a sum of revenue. */
export function figureInWords(
  metric: TiersDto['metric'],
  figure: number,
  currency: string,
): string {
  if (metric === 'revenue') return formatMoney(figure, currency);
  return figures[metric](formatCount(figure));
}
