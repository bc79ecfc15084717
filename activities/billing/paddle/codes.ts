import { listAt, objectAt, textAt, valueAt, type Json } from '../../../entities/rules/billing/json';
import type { CodeDiscount, CodeThere } from '../../../entities/rules/billing/codes';
import { billerHttpFailure, type BillerHttp } from '../../../runtime/connections/biller-http';
import type { BillerCodes } from '../reader';

/** Discounts of Paddle's with a code. */
export function paddleCodes(http: BillerHttp): BillerCodes {
  return {
    permission: 'discount.write',
    async find({ code, codeId }) {
      const query = { code, status: 'active', per_page: 50 };
      const found = listAt(await http.call('GET', '/discounts', { query }), 'data');
      return found
        .map((one) => codeOf(one, codeId))
        .filter((one) => one.code.toUpperCase() === code && one.id !== '');
    },
    async make({ code, codeId, discount }) {
      const body = {
        ...amountOf(discount),
        description: `Affiliate code ${code}`,
        code,
        enabled_for_checkout: true,
        recur: discount.months !== null,
        maximum_recurring_intervals: discount.months === 0 ? null : discount.months,
        custom_data: { aff_code_id: codeId },
      };
      const made = objectAt(await http.call('POST', '/discounts', { body }), 'data');
      return textAt(made, 'id') ?? '';
    },
    async switchOff(id) {
      try {
        await http.call('PATCH', `/discounts/${id}`, { body: { status: 'archived' } });
      } catch (error) {
        if (billerHttpFailure(error) !== 'missing') throw error;
      }
    },
  };
}

/** Amounts are text: of a percentage with two decimals, of money in minor units. */
function amountOf(discount: CodeDiscount): Json {
  if ('percentOffBps' in discount) {
    return { type: 'percentage', amount: String(discount.percentOffBps / 100) };
  }
  const { amountOffCents, currency } = discount;
  return { type: 'flat', amount: String(amountOffCents), currency_code: currency.toUpperCase() };
}

function codeOf(found: unknown, codeId: string): CodeThere {
  return {
    id: textAt(found, 'id') ?? '',
    code: textAt(found, 'code') ?? '',
    discount: discountOf(found),
    isOurs: textAt(found, 'custom_data', 'aff_code_id') === codeId,
  };
}

function discountOf(found: unknown): CodeDiscount | null {
  const amount = Number(textAt(found, 'amount') ?? Number.NaN);
  const intervals = valueAt(found, 'maximum_recurring_intervals') ?? 0;
  const months = valueAt(found, 'recur') === true ? Number(intervals) : null;
  if (Number.isNaN(amount)) return null;
  const type = textAt(found, 'type');
  if (type === 'percentage') return { percentOffBps: Math.round(amount * 100), months };
  // The third type, flat_per_seat, is taken off each unit, not once.
  if (type !== 'flat') return null;
  const currency = (textAt(found, 'currency_code') ?? '').toLowerCase();
  return { amountOffCents: amount, currency, months };
}
