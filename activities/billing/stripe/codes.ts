import type Stripe from 'stripe';
import type { CodeDiscount, CodeThere } from '../../../entities/rules/billing/codes';
import { stripeFailure, type StripeClient } from '../../../runtime/connections/stripe';
import type { BillerCodes, WantedCode } from '../reader';

/** Promotion codes of Stripe's, each with a coupon of its own. */
export function stripeCodes(client: StripeClient): BillerCodes {
  return {
    permission: 'rak_coupon_write and rak_promotion_code_write',
    async find({ code, codeId }) {
      const { data } = await client.promotionCodes.list({
        ...{ code, active: true, limit: 100 },
        expand: ['data.promotion.coupon'],
      });
      return data
        .filter((one) => one.active && one.code.toUpperCase() === code)
        .map((one) => codeOf(one, codeId));
    },
    async make(wanted) {
      const { code, codeId } = wanted;
      const coupon = await couponFor(client, wanted);
      const made = await client.promotionCodes.create(
        { promotion: { type: 'coupon', coupon }, code, metadata: { aff_code_id: codeId } },
        { idempotencyKey: keyOf('code', wanted) },
      );
      return made.id;
    },
    async switchOff(id) {
      try {
        await client.promotionCodes.update(id, { active: false });
      } catch (error) {
        if (stripeFailure(error) !== 'missing') throw error;
      }
    },
  };
}

/** The coupon has the id of our row: where an answer got lost it is there, and is found by that id. */
async function couponFor(client: StripeClient, wanted: WantedCode): Promise<string> {
  const { code, codeId, discount } = wanted;
  const id = `aff_${codeId}`;
  try {
    await client.coupons.retrieve(id);
  } catch (error) {
    if (stripeFailure(error) !== 'missing') throw error;
    const what = { id, name: `Affiliate ${code}`.slice(0, 40), ...couponOf(discount) };
    await client.coupons.create(what, { idempotencyKey: keyOf('coupon', wanted) });
  }
  return id;
}

/** Stripe repeats its answer to a key for a day: of a code that was switched off there meanwhile too. */
function keyOf(kind: 'code' | 'coupon', { codeId, askedAt }: WantedCode): string {
  return `${kind}-${codeId}-${askedAt.getTime()}`;
}

function couponOf(discount: CodeDiscount): Stripe.CouponCreateParams {
  const { months } = discount;
  const off =
    'percentOffBps' in discount
      ? { percent_off: discount.percentOffBps / 100 }
      : { amount_off: discount.amountOffCents, currency: discount.currency };
  if (months === null) return { ...off, duration: 'once' };
  if (months === 0) return { ...off, duration: 'forever' };
  return { ...off, duration: 'repeating', duration_in_months: months };
}

function codeOf(found: Stripe.PromotionCode, codeId: string): CodeThere {
  const { id, code, promotion, metadata } = found;
  const { coupon } = promotion;
  const discount = typeof coupon === 'object' && coupon !== null ? discountOf(coupon) : null;
  return { id, code, discount, isOurs: metadata?.['aff_code_id'] === codeId };
}

function discountOf(coupon: Stripe.Coupon): CodeDiscount | null {
  const { percent_off: percent, amount_off: amount, currency, duration } = coupon;
  const repeating = coupon.duration_in_months ?? 0;
  const months = duration === 'once' ? null : duration === 'forever' ? 0 : repeating;
  if (percent !== null) return { percentOffBps: Math.round(percent * 100), months };
  if (amount === null || currency === null) return null;
  return { amountOffCents: amount, currency, months };
}
