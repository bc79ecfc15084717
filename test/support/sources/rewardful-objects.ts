import type { Json } from './stand-in';

/** developers.rewardful.com/rest-api/campaigns/the-campaign-object; `unknown_field` is nowhere. */
export function campaign(id: string, name: string, more: Json = {}): Json {
  return {
    id,
    name,
    created_at: '2024-01-01T00:00:00.000Z',
    reward_type: 'percent',
    commission_percent: 30,
    max_commission_period_months: 12,
    days_before_referrals_expire: 60,
    unknown_field: { a: 1 },
    ...more,
  };
}

export const friends = { id: 'camp-1', name: 'Friends' };

/** developers.rewardful.com/rest-api/affiliates/object */
export function affiliate(id: string, more: Json = {}): Json {
  return {
    id,
    created_at: '2024-02-01T10:00:00.000Z',
    updated_at: '2024-02-01T10:00:00.000Z',
    first_name: 'Ann',
    last_name: id,
    email: `${id}@example.com`,
    paypal_email: null,
    wise_email: null,
    state: 'active',
    visitors: 1,
    campaign: friends,
    links: [{ id: `l-${id}`, url: `https://shop.example/?via=${id}`, token: id }],
    ...more,
  };
}

/** developers.rewardful.com/rest-api/referrals/object */
export function referral(id: string, of: string, more: Json = {}): Json {
  return {
    id,
    customer: { id: `cus_${id}`, name: 'Fred', email: 'fred@example.com', platform: 'stripe' },
    affiliate: affiliate(of),
    created_at: '2024-03-01T10:00:00.000Z',
    became_lead_at: '2024-03-02T10:00:00.000Z',
    became_conversion_at: '2024-03-03T10:00:00.000Z',
    expires_at: '2024-05-01T10:00:00.000Z',
    deactivated_at: null,
    conversion_state: 'conversion',
    stripe_customer_id: `cus_${id}`,
    ...more,
  };
}

/** developers.rewardful.com/rest-api/commissions/object */
export function commission(id: string, of: string, more: Json = {}): Json {
  return {
    id,
    created_at: '2024-03-03T10:01:00.000Z',
    amount: 3_000,
    currency: 'USD',
    state: 'due',
    due_at: '2024-04-03T10:00:00.000Z',
    paid_at: null,
    voided_at: null,
    campaign: friends,
    sale: {
      id: `sale-${id}`,
      currency: 'USD',
      charged_at: '2024-03-03T10:00:00.000Z',
      stripe_charge_id: `ch_${id}`,
      charge_amount_cents: 10_000,
      refund_amount_cents: 0,
      tax_amount_cents: 0,
      sale_amount_cents: 10_000,
      referral: referral('r1', of),
      affiliate: affiliate(of),
    },
    ...more,
  };
}

/** developers.rewardful.com/rest-api/affiliate-coupons/the-affiliate-coupon-object */
export function coupon(token: string, of: string, more: Json = {}): Json {
  return { id: `coupon-${token}`, external_id: 'promo_1', token, affiliate_id: of, ...more };
}
