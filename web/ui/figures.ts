import type { TiersDto } from '../session/records';
import { text } from '../text/en';
import { formatCount, formatMoney } from './format';

const { figures } = text.app.programme;

/** `10 customers`, `4 sales`, or a sum of revenue. */
export function figureInWords(
  metric: TiersDto['metric'],
  figure: number,
  currency: string,
): string {
  if (metric === 'revenue') return formatMoney(figure, currency);
  return figures[metric](formatCount(figure));
}
