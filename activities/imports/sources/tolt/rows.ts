import type { Json } from '../../../../entities/rules/billing/json';
import type { StatusWords } from '../../../../entities/rules/imports/statuses';
import type { ToldRow } from '../source';
import { cellAt, firstOf, fullName, listCell, wordOf } from '../told';

/** Tolt's words for commissions that nobody is owed. Its words for partners are the same as ours. */
const ours: StatusWords = { rejected: 'void', refunded: 'void', declined: 'void' };

export function partnerRows(partner: Json, { statuses }: { statuses: StatusWords }): ToldRow[] {
  const name = fullName(cellAt(partner, 'first_name'), cellAt(partner, 'last_name'));
  return [
    {
      kind: 'partners',
      cells: {
        partner_id: cellAt(partner, 'id'),
        email: cellAt(partner, 'email'),
        name: firstOf(name, cellAt(partner, 'display_name'), cellAt(partner, 'company_name')),
        status: wordOf(cellAt(partner, 'status'), { statuses, ours: {} }),
        ...payoutOf(partner),
        created_at: cellAt(partner, 'created_at'),
      },
    },
  ];
}

/** The way of payment, which only version 1 of Tolt's API tells; version 2 has no such field. */
function payoutOf(partner: Json): Record<string, string> {
  const payout_type = cellAt(partner, 'payout_method');
  if (payout_type !== 'paypal' && payout_type !== 'wise') return {};
  return { payout_type, payout_email: cellAt(partner, 'payout_details', 'email') };
}

export function linkRows(link: Json): ToldRow[] {
  const partner_id = cellAt(link, 'partner_id');
  if (partner_id === '') return [];
  return [{ kind: 'links', cells: { partner_id, token: cellAt(link, 'value') } }];
}

/** Codes of a group or a programme are nobody's, and those that are switched off bring nobody. */
export function codeRows(code: Json): ToldRow[] {
  const partner_id = cellAt(code, 'partner_id');
  if (partner_id === '' || code['active'] === false) return [];
  return [{ kind: 'links', cells: { partner_id, token: cellAt(code, 'code'), kind: 'code' } }];
}

export function customerRows(customer: Json): ToldRow[] {
  const partner_id = cellAt(customer, 'partner_id');
  if (partner_id === '') return [];
  return [
    {
      kind: 'customers',
      cells: {
        partner_id,
        customer_id: cellAt(customer, 'id'),
        known_as: cellAt(customer, 'customer_id'),
        aliases: listCell([cellAt(customer, 'subscription_id')]),
        bound_at: firstOf(cellAt(customer, 'lead_at'), cellAt(customer, 'created_at')),
        first_paid_at: cellAt(customer, 'active_at'),
      },
    },
  ];
}

export function commissionRows(
  commission: Json,
  { statuses }: { statuses: StatusWords },
): ToldRow[] {
  const transaction = cellAt(commission, 'transaction_id');
  return [
    {
      kind: 'commissions',
      cells: {
        commission_id: cellAt(commission, 'id'),
        partner_id: cellAt(commission, 'partner_id'),
        customer_id: cellAt(commission, 'customer_id'),
        sale_id: firstOf(cellAt(commission, 'charge_id'), transaction && `tolt:${transaction}`),
        sale_amount_cents: cellAt(commission, 'revenue'),
        amount_cents: cellAt(commission, 'amount'),
        currency: cellAt(commission, 'currency'),
        status: wordOf(cellAt(commission, 'status'), { statuses, ours }),
        occurred_at: cellAt(commission, 'created_at'),
        due_at: cellAt(commission, 'scheduled_approval_date'),
      },
    },
  ];
}
