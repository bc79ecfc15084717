import { processorActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { settlementOf, type PaymentSettlement } from '../../../entities/rules/stripe/settlement';
import { execute, query, type Tx, type Db } from '../../../entities/database/sql';
import { settleConversion } from '../../settlement/settle';
import { paymentIdsOf, setConversion, type StripePaymentRecord } from './payments';

interface KnownConversion {
  id: string;
  amountCents: number;
  hasCommission: boolean;
}

/** The conversions that this payment already is, oldest first: reported under any of its ids. */
export async function findConversionsOf(
  db: Db,
  scope: Scope,
  payment: StripePaymentRecord,
): Promise<KnownConversion[]> {
  return query<KnownConversion>(
    db,
    `SELECT v.id, v.amount_cents AS "amountCents",
            EXISTS (SELECT 1 FROM commissions m WHERE m.conversion_id = v.id) AS "hasCommission"
       FROM conversions v
      WHERE v.id = $4 OR v.id IN (SELECT conversion_id FROM conversion_aliases
             WHERE workspace_id = $1 AND mode = $2 AND alias = ANY ($3::text[]))
      ORDER BY v.created_at, v.id`,
    [scope.workspaceId, scope.mode, paymentIdsOf(payment.objects), payment.conversionId],
  );
}

/**
 * Makes the conversion known by every id of the payment, and brings it to what Stripe says of its
 * refunds, disputes and fee.
 */
export async function settlePayment(
  tx: Tx,
  scope: Scope,
  {
    payment,
    conversions,
    now,
  }: {
    payment: StripePaymentRecord;
    conversions: KnownConversion[];
    now: Date;
  },
): Promise<void> {
  const kept = conversions.find(({ hasCommission }) => hasCommission) ?? conversions[0];
  if (!kept) return;
  await setConversion(tx, payment.id, kept.id);
  await addAliases(tx, scope, { conversionId: kept.id, aliases: paymentIdsOf(payment.objects) });

  const context = { scope, actor: processorActor, now };
  await saveSettlement(tx, scope, {
    conversionId: kept.id,
    facts: withCharge(settlementOf(payment.objects), kept),
    now,
  });
  await settleConversion(tx, context, { conversionId: kept.id });

  for (const other of conversions.filter(({ id }) => id !== kept.id)) {
    await saveSettlement(tx, scope, { conversionId: other.id, facts: wholly(other), now });
    await settleConversion(tx, context, { conversionId: other.id });
  }
  await releaseEvents(tx, payment.id, now);
}

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
  await execute(
    tx,
    `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
     SELECT $1, $2, alias, $4 FROM unnest($3::text[]) AS alias ORDER BY alias
         ON CONFLICT ON CONSTRAINT uq_conversion_external_transaction DO NOTHING`,
    [scope.workspaceId, scope.mode, aliases, conversionId],
  );
}

async function saveSettlement(
  tx: Tx,
  scope: Scope,
  { conversionId, facts, now }: { conversionId: string; facts: PaymentSettlement; now: Date },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO conversion_settlements AS s (conversion_id, workspace_id, mode, charge_cents,
       refunded_cents, lost_dispute_cents, open_disputes, fee_cents, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (conversion_id) DO UPDATE
       SET charge_cents = excluded.charge_cents, refunded_cents = excluded.refunded_cents,
           lost_dispute_cents = excluded.lost_dispute_cents,
           open_disputes = excluded.open_disputes, fee_cents = excluded.fee_cents,
           updated_at = excluded.updated_at
     WHERE (s.charge_cents, s.refunded_cents, s.lost_dispute_cents, s.open_disputes, s.fee_cents)
       IS DISTINCT FROM (excluded.charge_cents, excluded.refunded_cents,
         excluded.lost_dispute_cents, excluded.open_disputes, excluded.fee_cents)`,
    [
      conversionId,
      scope.workspaceId,
      scope.mode,
      facts.chargeCents,
      facts.refundedCents,
      facts.lostDisputeCents,
      facts.openDisputes,
      facts.feeCents,
      now,
    ],
  );
}

/** Events that waited for this payment, or seemed to be nothing of ours, have had their effect. */
async function releaseEvents(tx: Tx, paymentId: string, now: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE stripe_events SET status = 'processed', error = NULL, processed_at = $2
      WHERE payment_id = $1 AND status IN ('waiting', 'ignored')`,
    [paymentId, now],
  );
}
