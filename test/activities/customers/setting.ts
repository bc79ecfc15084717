import { query, type Db } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { buildClick } from '../../support/build/clicks';
import {
  buildParticipant,
  buildPromoCode,
  type BuiltParticipant,
} from '../../support/build/programs';
import { stripeId } from '../../support/stripe/events';
import type { StripeTestEvent } from '../../support/stripe/fixtures';
import { buildStripeShop, type ShopDeps, type StripeShop } from '../../support/stripe/shop';
import { CustomerModel, type Partner, type Payment, type Terms } from './model';

export const dayOf = (month: number, day: number): Date => new Date(Date.UTC(2026, month, day, 12));
const clickedAt = dayOf(0, 1);
export const signedUpAt = dayOf(0, 2);
/** Reports may come late; a member acts at the moment. */
export const reportedAt = dayOf(7, 1);

/** A shop, a rival of its partner, and one customer: `user` to the shop, `cus_...` to Stripe. */
export interface Setting {
  db: Db;
  shop: StripeShop;
  rival: BuiltParticipant;
  clicks: Record<Partner, string>;
  expiredClick: string;
  /** The rival's. */
  code: string;
  cus: string;
  /** An id of this setting's, so that a repeat is the same payment. */
  id: (name: string) => string;
  model: CustomerModel;
  /** Reports that nothing credited when they were sent. */
  refused: Map<string, Payment>;
  /** Tells of events of Stripe's, each of which is processed. */
  send: (...events: StripeTestEvent[]) => Promise<void>;
  /** Does what is left to be done by now, or by a later time. */
  settle: (at?: Date) => Promise<unknown>;
}

export const contextOf = ({ shop }: Pick<Setting, 'shop'>, now = reportedAt) => ({
  scope: shop.scope,
  now,
  actor: systemActor,
  requestId: undefined,
});

/** Larger sales in the programme's currency earn half as much again. */
const rules = [
  {
    name: 'Large',
    match: { minAmountCents: 7_000 },
    type: 'percentage' as const,
    rateBps: 3_000,
    amountCents: null,
    basis: 'gross' as const,
    holdDays: null,
    autoApprove: null,
  },
];

export async function buildSetting(deps: ShopDeps, terms: Terms): Promise<Setting> {
  const db = deps.db.manager;
  const shop = await buildStripeShop(deps, { ...terms, rules, acceptedCurrencies: ['eur'] });
  const rival = await buildParticipant(db, { program: shop.program });
  const click = async (participant: BuiltParticipant, expiresAt = reportedAt) =>
    (await buildClick(db, { participant, at: clickedAt, expiresAt })).id;
  const [own = ''] = stripeId('x').split('_').slice(-1);
  return {
    db,
    shop,
    rival,
    clicks: { partner: await click(shop.participant), rival: await click(rival) },
    expiredClick: await click(shop.participant, clickedAt),
    code: (await buildPromoCode(db, rival)).code,
    cus: `cus_${own}`,
    id: (name) => `${name}_${own}`,
    model: new CustomerModel(terms),
    refused: new Map(),
    send: async (...events) => {
      for (const id of await shop.receive(...events)) await shop.process(id);
    },
    settle: (at) => shop.followUp(at),
  };
}

/** Names as the model has them: an invoice is called by the payment intent of its part where that was told first. */
const withoutSuffix = `regexp_replace(
  regexp_replace(v.external_transaction_id, '_[^_]*$', ''), '^pi_p', 'in_')`;
const isTwin = `v.external_transaction_id ~ '^(pi|in)_t'`;

/** The sales of somebody: a sale whose credit was taken back stays, and counts as none, as does what credit paid. */
export const salesOf = ({ db, shop, rival }: Setting) =>
  query<{ id: string }>(
    db,
    `SELECT ${withoutSuffix} AS id, v.occurred_at AS "paidAt", v.matched_by AS "matchedBy", v.currency,
            coalesce(m.amount_cents, 0) AS due,
            CASE WHEN v.participant_id = $2 THEN 'rival' ELSE 'partner' END AS partner
       FROM conversions AS v
       LEFT JOIN commissions AS m ON m.conversion_id = v.id AND m.credited
      WHERE v.workspace_id = $1 AND v.attributed AND v.amount_cents > 0 AND NOT ${isTwin}`,
    [shop.scope.workspaceId, rival.id],
  );

/** What is due of both together of sales that two sources tell, and how many of them are flagged. */
export const twinsOf = ({ db, shop }: Setting) =>
  query<{ id: string; due: number; flagged: number }>(
    db,
    `SELECT 'twin-' || substr(${withoutSuffix}, 5) AS id,
            coalesce(sum(m.amount_cents) FILTER (WHERE m.status <> 'rejected'), 0)::int AS due,
            count(*) FILTER (WHERE 'POSSIBLE_DUPLICATE' = ANY (m.review_reasons))::int AS flagged
       FROM conversions AS v JOIN commissions AS m ON m.conversion_id = v.id
      WHERE v.workspace_id = $1 AND ${isTwin} GROUP BY 1 ORDER BY 1`,
    [shop.scope.workspaceId],
  );

/** What is owed is what is due of it, whatever it was before; nothing is due of a sale that is nobody's, or that credit paid. */
export const unequalOf = ({ db, shop }: Setting) =>
  query(
    db,
    `SELECT m.id FROM commissions AS m JOIN conversions AS v ON v.id = m.conversion_id
      WHERE m.workspace_id = $1
        AND (m.amount_cents <> (SELECT sum(l.amount_cents) FROM ledger_entries AS l
                                 WHERE l.commission_id = m.id AND l.type NOT IN ('payout', 'reversal'))
          OR m.credited AND NOT v.attributed
          OR v.amount_cents = 0 AND m.amount_cents <> 0
          OR NOT m.credited AND (m.amount_cents <> 0 OR m.status <> 'rejected'))`,
    [shop.scope.workspaceId],
  );

/** The shop's own; one whom Stripe alone has named is no matter of a partner's. */
export const customersOf = ({ db, shop, rival }: Setting) =>
  query(
    db,
    `SELECT u.first_paid_at AS "firstPaidAt", array_agg(a.alias ORDER BY a.alias DESC) AS names,
            CASE WHEN u.participant_id = $2 THEN 'rival'
                 WHEN u.participant_id IS NOT NULL THEN 'partner' END AS partner
       FROM customers AS u JOIN customer_aliases AS a ON a.customer = u.id
      WHERE u.workspace_id = $1 GROUP BY u.id HAVING 'user' = ANY (array_agg(a.alias))`,
    [shop.scope.workspaceId, rival.id],
  );

export function expectedCustomersOf({ model, cus }: Setting) {
  const names = model.names().map((name) => (name === 'cus' ? cus : name));
  if (names.length === 0) return [];
  return [{ firstPaidAt: model.firstPaidAt(), names, partner: model.partner() }];
}
