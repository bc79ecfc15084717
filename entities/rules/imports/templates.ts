import type { ImportMapping } from './kinds';

/** Columns and words of a system's files, as far as it publishes them. */
export interface Template {
  system: string;
  /** Theirs by ours. */
  columns: ImportMapping;
  /** What words of theirs mean, where they mean the same of partners and of commissions. */
  statuses: Readonly<Record<string, string>>;
}

/**
 * The columns and statuses of known systems. Those of Dub are the headings of its own exports (its
 * public repository: lib/zod/schemas/partners, lib/customers/schema, lib/zod/schemas/commissions;
 * its sums are minor units there, and one with a sign of a currency is refused and not mistaken).
 * Those of the others are the fields of their APIs, as somebody who asks them has the rows:
 * developers.rewardful.com (affiliate, referral, commission) and the sheet of
 * help.rewardful.com/en/articles/1988486, docs.tolt.com (partners, links, customers, commissions),
 * docs.firstpromoter.com (promoters, referrals, commissions).
 */
export const templates: readonly Template[] = [
  {
    system: 'Dub',
    columns: {
      partners: { partner_id: 'ID', created_at: 'Enrolled at' },
      customers: {
        partner_id: 'Partner ID',
        customer_id: 'External ID',
        aliases: 'Stripe customer ID',
        bound_at: 'Created at',
        first_paid_at: 'First sale at',
      },
      commissions: {
        commission_id: 'ID',
        partner_id: 'Partner ID',
        customer_id: 'Customer external ID',
        sale_id: 'Invoice ID',
        sale_amount_cents: 'Amount',
        amount_cents: 'Earnings',
        occurred_at: 'Created at',
      },
    },
    statuses: {
      processed: 'approved',
      refunded: 'void',
      duplicate: 'void',
      fraud: 'void',
      canceled: 'void',
    },
  },
  {
    system: 'Rewardful',
    columns: {
      partners: {
        partner_id: 'id',
        name: 'first_name',
        status: 'state',
        payout_email: 'paypal_email',
      },
      links: { partner_id: 'affiliate_id' },
      customers: {
        partner_id: 'affiliate_id',
        customer_id: 'stripe_customer_id',
        bound_at: 'became_lead_at',
        first_paid_at: 'became_conversion_at',
      },
      commissions: {
        commission_id: 'id',
        partner_id: 'affiliate_id',
        sale_id: 'stripe_charge_id',
        sale_refunded_cents: 'refund_amount_cents',
        amount_cents: 'amount',
        status: 'state',
        occurred_at: 'charged_at',
      },
    },
    statuses: { due: 'approved', voided: 'void' },
  },
  {
    system: 'Tolt',
    columns: {
      partners: { partner_id: 'id', name: 'first_name' },
      links: { token: 'value' },
      customers: { aliases: 'subscription_id', bound_at: 'lead_at', first_paid_at: 'active_at' },
      commissions: {
        commission_id: 'id',
        sale_id: 'charge_id',
        sale_amount_cents: 'revenue',
        amount_cents: 'amount',
        occurred_at: 'created_at',
        due_at: 'scheduled_approval_date',
      },
    },
    statuses: { refunded: 'void', declined: 'void' },
  },
  {
    system: 'FirstPromoter',
    columns: {
      partners: { partner_id: 'id', status: 'state', created_at: 'joined_at' },
      links: { token: 'ref_token', url: 'ref_link' },
      customers: { customer_id: 'uid', bound_at: 'created_at', first_paid_at: 'customer_since' },
      commissions: {
        commission_id: 'id',
        sale_id: 'event_id',
        sale_amount_cents: 'sale_amount',
        amount_cents: 'amount',
        occurred_at: 'created_at',
        note: 'external_note',
      },
    },
    statuses: { accepted: 'active', denied: 'void' },
  },
];
