import { listAt, textAt, valueAt, type Json } from '../../../entities/rules/billing/json';
import type { CodeDiscount, CodeThere } from '../../../entities/rules/billing/codes';
import { billerHttpFailure, type BillerHttp } from '../../../runtime/connections/biller-http';
import type { BillerCodes } from '../reader';
import { callList } from './lists';

/** More discounts than this no shop looks through. */
const longestPages = 100;

/** Discounts of Polar's with a code. */
export function polarCodes(http: BillerHttp): BillerCodes {
  return {
    permission: 'discounts:write',
    async find({ code, codeId }) {
      const found: CodeThere[] = [];
      // Polar's list finds discounts by name, not by code, so all pages are read.
      for (let page = 1, pages = 1; page <= Math.min(pages, longestPages); page += 1) {
        const answer = await callList(http, 'discounts', { limit: 100, page });
        pages = Number(valueAt(answer, 'pagination', 'max_page') ?? 1);
        const codes = listAt(answer, 'items').map((one) => codeOf(one, codeId));
        found.push(...codes.filter((one) => one.code.toUpperCase() === code && one.id !== ''));
      }
      return found;
    },
    async make({ code, codeId, discount }) {
      const { months } = discount;
      const body = {
        ...amountOf(discount),
        ...recurrenceOf(months),
        name: code,
        code,
        metadata: { aff_code_id: codeId },
      };
      return textAt(await http.call('POST', '/v1/discounts/', { body }), 'id') ?? '';
    },
    async switchOff(id) {
      try {
        await http.call('DELETE', `/v1/discounts/${id}`);
      } catch (error) {
        if (billerHttpFailure(error) !== 'missing') throw error;
      }
    },
  };
}

function amountOf(discount: CodeDiscount): Json {
  if ('percentOffBps' in discount) {
    return { type: 'percentage', basis_points: discount.percentOffBps };
  }
  return { type: 'fixed', amount: discount.amountOffCents, currency: discount.currency };
}

function recurrenceOf(months: number | null): Json {
  if (months === null) return { duration: 'once' };
  return months === 0
    ? { duration: 'forever' }
    : { duration: 'repeating', duration_in_months: months };
}

function codeOf(found: unknown, codeId: string): CodeThere {
  return {
    id: textAt(found, 'id') ?? '',
    code: textAt(found, 'code') ?? '',
    discount: discountOf(found),
    isOurs: textAt(found, 'metadata', 'aff_code_id') === codeId,
  };
}

function discountOf(found: unknown): CodeDiscount | null {
  const months = monthsOf(found);
  if (months === undefined) return null;
  if (textAt(found, 'type') === 'percentage') {
    return { percentOffBps: Number(valueAt(found, 'basis_points')), months };
  }
  if (textAt(found, 'type') !== 'fixed') return null;
  const currency = (textAt(found, 'currency') ?? '').toLowerCase();
  return { amountOffCents: Number(valueAt(found, 'amount')), currency, months };
}

function monthsOf(found: unknown): number | null | undefined {
  const duration = textAt(found, 'duration');
  if (duration === 'once') return null;
  if (duration === 'forever') return 0;
  return duration === 'repeating' ? Number(valueAt(found, 'duration_in_months')) : undefined;
}
