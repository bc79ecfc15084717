import { processorActor } from '../../../entities/rules/values/actor';
import {
  keptOf,
  yieldingReasons,
  type Duplicate,
} from '../../../entities/rules/payments/duplicates';
import type { Scope } from '../../../entities/rules/values/mode';
import { rulesOf } from '../../../entities/rules/billers';
import type { PaymentSettlement } from '../../../entities/rules/billing/rules';
import { selectList } from '../../../entities/database/columns';
import { insertAll } from '../../../entities/database/insert-all';
import { listed } from '../../../entities/database/moving';
import { query, type Tx, type Db } from '../../../entities/database/sql';
import { ConversionAlias } from '../../../entities/tables/conversions/conversion-alias.entity';
import { ConversionSettlement } from '../../../entities/tables/conversions/conversion-settlement.entity';
import { Conversion } from '../../../entities/tables/conversions/conversion.entity';
import type { CommandContext } from '../../journal/cause';
import { settleConversion } from '../../settlement/settle';
import { scopeOf } from '../connection/connection';
import { releaseEvents } from '../events/progress';
import { setConversion, type StripePaymentRecord } from './payments';

/** A conversion that a payment is, with how its commission stands. */
export interface KnownConversion extends Pick<Conversion, 'id' | 'amountCents'>, Duplicate {}

/** What a payment may be found by. */
type FoundBy = Pick<StripePaymentRecord, 'biller' | 'conversionId' | 'objects'>;

/** The conversions that this payment already is, oldest first: reported under any of its ids. */
export async function findConversionsOf(
  db: Db,
  scope: Scope,
  payment: FoundBy,
): Promise<KnownConversion[]> {
  return query<KnownConversion>(
    db,
    `SELECT ${selectList(Conversion, 'v', ['id', 'amountCents'])},
            (SELECT m.status FROM commissions m WHERE m.conversion_id = v.id AND m.credited) AS status,
            v.source = 'api' AND NOT v.attributed
              AND v.reason IN (${listed(yieldingReasons)}) AS "isYielding"
       FROM conversions v
      WHERE v.workspace_id = $1 AND v.mode = $2 AND v.id IN (
             SELECT $4::uuid UNION ALL
             SELECT conversion_id FROM conversion_aliases
              WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[]))
      ORDER BY v.created_at, v.id`,
    [scope.workspaceId, scope.mode, paymentIdsOf(payment), payment.conversionId],
  );
}

/**
 * Makes the conversion known by every id of the payment, and brings it to what Stripe says of its
 * refunds, disputes and fee. Gives the conversion that the payment is.
 */
export async function settlePayment(
  tx: Tx,
  context: CommandContext,
  { payment, conversions }: { payment: StripePaymentRecord; conversions: KnownConversion[] },
): Promise<string | null> {
  const kept = keptOf(conversions);
  if (!kept) return null;
  const { scope } = context;
  if (payment.conversionId !== kept.id)
    await setConversion(tx, scope, { paymentId: payment.id, conversionId: kept.id });
  await addAliases(tx, scope, { conversionId: kept.id, aliases: paymentIdsOf(payment) });

  const facts = withCharge(rulesOf(payment.biller).settlementOf(payment.objects), kept);
  await settleBy(tx, context, { conversionId: kept.id, facts });
  for (const other of conversions.filter((one) => one.id !== kept.id && !one.isYielding)) {
    await settleBy(tx, context, { conversionId: other.id, facts: wholly(other) });
  }
  await releaseEvents(tx, context, payment.id);
  return kept.id;
}

function paymentIdsOf({ biller, objects }: Pick<FoundBy, 'biller' | 'objects'>): string[] {
  return rulesOf(biller).paymentIdsOf(objects);
}

/** Brings one conversion to these facts: in the processor's name, whoever the report is of. */
async function settleBy(
  tx: Tx,
  { scope, now }: CommandContext,
  { conversionId, facts }: { conversionId: string; facts: PaymentSettlement },
): Promise<void> {
  await saveSettlement(tx, { conversionId, ...scopeOf(scope), ...facts, updatedAt: now });
  await settleConversion(tx, { scope, actor: processorActor, now }, { conversionId });
}

/** How much of it is booked is the settlement's own business, what came back before an import the import's. */
type NewSettlement = Omit<
  ConversionSettlement,
  'settledLostCents' | 'refundedBeforeCents' | 'apiRefundedBeforeCents'
>;

/** A payment reported by API may have no charge that we know: its own amount stands in. */
function withCharge(facts: PaymentSettlement, { amountCents }: KnownConversion): PaymentSettlement {
  const cameBack = facts.refundedCents + facts.lostDisputeCents > 0;
  if (facts.chargeCents !== null || !cameBack || amountCents === 0) return facts;
  return { ...facts, chargeCents: amountCents };
}

/**
 * Two reports named one payment by ids that nothing joined until now. The second one is settled as
 * wholly given back: one payment neither earns twice nor counts twice as revenue.
 */
function wholly({ amountCents }: KnownConversion): PaymentSettlement {
  const chargeCents = Math.max(1, amountCents);
  return {
    chargeCents,
    refundedCents: chargeCents,
    lostDisputeCents: 0,
    openDisputes: 0,
    feeCents: null,
  };
}

async function addAliases(
  tx: Tx,
  scope: Scope,
  { conversionId, aliases }: { conversionId: string; aliases: string[] },
): Promise<void> {
  await insertAll(tx, {
    into: ConversionAlias,
    // The aliases are inserted in one order, so that two writers never wait for each other.
    rows: aliases.toSorted().map((alias) => ({ ...scopeOf(scope), alias, conversionId })),
    onConflict: 'ON CONFLICT ON CONSTRAINT uq_conversion_external_transaction DO NOTHING',
  });
}

async function saveSettlement(tx: Tx, row: NewSettlement): Promise<void> {
  await insertAll(tx, {
    into: ConversionSettlement,
    rows: [row],
    onConflict: `ON CONFLICT (conversion_id) DO UPDATE
       SET charge_cents = excluded.charge_cents, refunded_cents = excluded.refunded_cents,
           lost_dispute_cents = excluded.lost_dispute_cents,
           open_disputes = excluded.open_disputes, fee_cents = excluded.fee_cents,
           updated_at = excluded.updated_at
     WHERE (conversion_settlements.charge_cents, conversion_settlements.refunded_cents,
         conversion_settlements.lost_dispute_cents, conversion_settlements.open_disputes,
         conversion_settlements.fee_cents)
       IS DISTINCT FROM (excluded.charge_cents, excluded.refunded_cents,
         excluded.lost_dispute_cents, excluded.open_disputes, excluded.fee_cents)`,
  });
}
