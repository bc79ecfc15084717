import { randomUUID } from 'node:crypto';
import type { IDiscountResponse } from '@paddle/paddle-node-sdk';
import type { models } from '@polar-sh/sdk/2026-04';
import type Stripe from 'stripe';
import { paddleId } from './paddle';
import type { BillerCall, BillerStandIn } from './stand-in';

/** A discount of Paddle's: 10 % for three periods, unless told. */
export function paddleCode(told: Partial<IDiscountResponse> = {}): IDiscountResponse {
  const at = new Date().toISOString();
  return {
    id: paddleId('dsc'),
    status: 'active',
    description: 'told by a test',
    enabled_for_checkout: true,
    code: 'ANNA10',
    mode: 'standard',
    type: 'percentage',
    amount: '10',
    currency_code: null,
    recur: true,
    maximum_recurring_intervals: 3,
    custom_data: null,
    times_used: 0,
    created_at: at,
    updated_at: at,
    import_meta: null,
    discount_group_id: null,
    discount_group: null,
    ...told,
  };
}

type PolarDiscount = Partial<
  models.DiscountPercentageRepeatDuration & models.DiscountFixedRepeatDuration
>;

/** A discount of Polar's: the same. */
export function polarCode(told: PolarDiscount = {}): PolarDiscount {
  return {
    id: randomUUID(),
    name: 'told by a test',
    code: 'ANNA10',
    type: 'percentage',
    basis_points: 1_000,
    duration: 'repeating',
    duration_in_months: 3,
    metadata: {},
    ...told,
  };
}

interface StripeCode {
  percent?: number;
  months?: number;
}

/** A promotion code of Stripe's with its coupon: the same. */
export function stripeCode({
  percent = 10,
  months = 3,
}: StripeCode = {}): Partial<Stripe.PromotionCode> {
  const coupon: Partial<Stripe.Coupon> = {
    id: 'coupon_1',
    percent_off: percent,
    amount_off: null,
    currency: null,
    duration: 'repeating',
    duration_in_months: months,
  };
  return {
    id: 'promo_1',
    object: 'promotion_code',
    active: true,
    code: 'ANNA10',
    metadata: {},
    promotion: { type: 'coupon', coupon: coupon as Stripe.Coupon },
  };
}

/** A page in the shape of each. */
export const listed = {
  paddle: (...data: object[]) => ({ data, meta: { pagination: { has_more: false } } }),
  polar: (...items: object[]) => ({
    items,
    pagination: { total_count: items.length, max_page: 1 },
  }),
  stripe: (...data: object[]) => ({ object: 'list', data, has_more: false }),
};

interface AtStripe {
  codes: Map<string, Partial<Stripe.PromotionCode>>;
  coupons: Map<string, object>;
}

/** Makes promotion codes and coupons as Stripe does: the same idempotency key gets the same answer. */
export function answerLikeStripe(vendor: BillerStandIn, { codes, coupons }: AtStripe): void {
  const answered = new Map<string, object>();
  const once = (call: BillerCall, make: () => object): { body: object } => {
    const key = String(call.headers['idempotency-key']);
    const body = answered.get(key) ?? make();
    answered.set(key, body);
    return { body };
  };
  vendor.answers.set('POST /v1/coupons', (call) =>
    once(call, () => {
      const coupon = { ...call.body };
      const path = `GET /v1/coupons/${String(call.body['id'])}`;
      coupons.set(path, coupon);
      vendor.answers.set(path, () =>
        coupons.has(path)
          ? { body: coupon }
          : { status: 404, body: { error: { code: 'resource_missing', message: 'missing' } } },
      );
      return coupon;
    }),
  );
  vendor.answers.set('POST /v1/promotion_codes', (call) =>
    once(call, () => {
      const made = { ...stripeCode(), id: `promo_${codes.size + 1}` };
      codes.set(made.id, made);
      return made;
    }),
  );
}
