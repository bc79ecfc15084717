import { valueAt, type Json } from '../../../../entities/rules/billing/json';
import { invalidField } from '../../../../entities/rules/imports/problems';
import type { TheirOffer, TheirTerms } from '../../../../entities/rules/imports/report';
import {
  maxAmountCents,
  maxRateBps,
  maxRecurringMonths,
} from '../../../../entities/rules/programs/terms';
import type { StatusWords } from '../../../../entities/rules/imports/statuses';
import type { Choice, ToldRow } from '../source';
import { cellAt, firstOf, fullName, listCell, objectsAt, wordOf } from '../told';

/** States of commissions; those of affiliates beside active (disabled, suspicious) are suspended here. */
const ours: StatusWords = { due: 'approved', voided: 'void' };

export function campaignOf(value: unknown, ...path: string[]): Choice {
  return { id: cellAt(value, ...path, 'id'), name: cellAt(value, ...path, 'name') };
}

/** An affiliate with their links. */
export function affiliateRows(affiliate: Json, { statuses }: { statuses: StatusWords }): ToldRow[] {
  const partner_id = cellAt(affiliate, 'id');
  const wise = cellAt(affiliate, 'wise_email');
  const links = objectsAt(affiliate, 'links') ?? [];
  return [
    {
      kind: 'partners',
      cells: {
        partner_id,
        email: cellAt(affiliate, 'email'),
        name: fullName(cellAt(affiliate, 'first_name'), cellAt(affiliate, 'last_name')),
        status: wordOf(cellAt(affiliate, 'state'), { statuses, ours: {} }),
        group: cellAt(affiliate, 'campaign', 'name'),
        payout_type: wise === '' ? 'paypal' : 'wise',
        payout_email: firstOf(wise, cellAt(affiliate, 'paypal_email')),
        created_at: cellAt(affiliate, 'created_at'),
      },
    },
    ...links.map((link): ToldRow => {
      return {
        kind: 'links',
        cells: { partner_id, token: cellAt(link, 'token'), url: cellAt(link, 'url') },
      };
    }),
  ];
}

export function couponRows(coupon: Json): ToldRow[] {
  if (coupon['archived'] === true || cellAt(coupon, 'archived_at') !== '') return [];
  const partner_id = cellAt(coupon, 'affiliate_id');
  const token = cellAt(coupon, 'token');
  return [{ kind: 'links', cells: { partner_id, token, kind: 'code' } }];
}

/** Whom a referral is about: the processor's id is the customer's, where there is one. */
function customerCells(referral: unknown): { customer_id: string; known_as: string } {
  return {
    customer_id: cellAt(referral, 'id'),
    known_as: firstOf(cellAt(referral, 'stripe_customer_id'), cellAt(referral, 'customer', 'id')),
  };
}

/** A referral that has become a lead or a customer. */
export function referralRows(referral: Json): ToldRow[] {
  const state = cellAt(referral, 'conversion_state');
  if (state !== 'lead' && state !== 'conversion') return [];
  const customer = customerCells(referral);
  const row: ToldRow = {
    kind: 'customers',
    cells: {
      ...customer,
      partner_id: cellAt(referral, 'affiliate', 'id'),
      aliases: listCell([customer.customer_id]),
      bound_at: firstOf(cellAt(referral, 'became_lead_at'), cellAt(referral, 'created_at')),
      first_paid_at: cellAt(referral, 'became_conversion_at'),
    },
  };
  if (cellAt(referral, 'deactivated_at') === '') return [row];
  return [{ ...row, problem: invalidField('deactivated_at', 'is set: it earns nothing there') }];
}

export function commissionRows(
  commission: Json,
  { statuses }: { statuses: StatusWords },
): ToldRow[] {
  const sale = valueAt(commission, 'sale');
  const saleId = cellAt(sale, 'id');
  return [
    {
      kind: 'commissions',
      cells: {
        commission_id: cellAt(commission, 'id'),
        partner_id: cellAt(sale, 'affiliate', 'id'),
        ...customerCells(valueAt(sale, 'referral')),
        sale_id: firstOf(cellAt(sale, 'stripe_charge_id'), saleId && `rewardful:${saleId}`),
        // A refund at the processor is told by what was charged, not by what was left of it.
        sale_amount_cents: firstOf(
          cellAt(sale, 'charge_amount_cents'),
          cellAt(sale, 'sale_amount_cents'),
        ),
        sale_refunded_cents: cellAt(sale, 'refund_amount_cents'),
        amount_cents: cellAt(commission, 'amount'),
        currency: cellAt(commission, 'currency'),
        status: wordOf(cellAt(commission, 'state'), { statuses, ours }),
        occurred_at: firstOf(cellAt(sale, 'charged_at'), cellAt(commission, 'created_at')),
        due_at: cellAt(commission, 'due_at'),
        paid_at: cellAt(commission, 'paid_at'),
        group: cellAt(commission, 'campaign', 'name'),
      },
    },
  ];
}

/** The same as terms of ours; null for what they cannot say. */
function offerOf(campaign: Json): TheirOffer | null {
  const isFlat = cellAt(campaign, 'reward_type') === 'amount';
  const rateBps = Math.round(Number(cellAt(campaign, 'commission_percent')) * 100);
  const amountCents = Number(cellAt(campaign, 'commission_amount_cents'));
  const told = cellAt(campaign, 'max_commission_period_months');
  const months = told === '' ? null : Number(told);
  const again = { recurring: months === null || months > 0, recurringMonths: months || null };
  const isKnown = months === null || isWithin(months, 0, maxRecurringMonths);
  if (!isKnown) return null;
  if (isFlat) {
    const currency = cellAt(campaign, 'commission_amount_currency').toLowerCase();
    if (!isWithin(amountCents, 1, maxAmountCents)) return null;
    const flat = { type: 'flat', rateBps: null, amountCents, basis: null, ...again } as const;
    return { currency, commission: flat };
  }
  if (!isWithin(rateBps, 1, maxRateBps)) return null;
  const share = {
    type: 'percentage',
    rateBps,
    amountCents: null,
    basis: 'gross',
    ...again,
  } as const;
  return { currency: null, commission: share };
}

function isWithin(value: number, from: number, to: number): boolean {
  return Number.isSafeInteger(value) && value >= from && value <= to;
}

/** What a campaign promises, in its words. */
export function termsOf(campaign: Json): TheirTerms {
  const percent = cellAt(campaign, 'commission_percent');
  const amount = cellAt(campaign, 'commission_amount_cents');
  const currency = cellAt(campaign, 'commission_amount_currency');
  const flat = amount === '' ? null : `${amount} ${currency} in minor units`.replace('  ', ' ');
  const months = cellAt(campaign, 'max_commission_period_months');
  const days = Number(cellAt(campaign, 'days_before_referrals_expire'));
  return {
    name: cellAt(campaign, 'name'),
    commission: cellAt(campaign, 'reward_type') === 'amount' ? flat : percent && `${percent} %`,
    recurring: months === '' ? 'for ever' : `${months} months`,
    cookieDays: Number.isSafeInteger(days) && days > 0 ? days : null,
    offer: offerOf(campaign),
  };
}
