import { newId } from '../../../entities/ids';
import type { FraudAction, FraudRule } from '../../../entities/rules/fraud/fraud';
import { execute, type Db } from '../../../entities/database/sql';
import type { BuiltParticipant } from './programs';

export interface Sale {
  participant: BuiltParticipant;
  at: Date;
  amountCents?: number;
  /** Null with an amount of 0 only. */
  currency?: string | null;
  refundedCents?: number;
  /** The link of the participant, or the code, by which it came; the default link unless said. */
  linkId?: string;
  promoCode?: string;
  eventType?: 'purchase' | 'renewal';
  newCustomer?: boolean;
  /** True for a sale that is refused as fraud. */
  isRejected?: boolean;
  flags?: FraudRule[];
}

/** Conversions as they are stored, with their fraud flags, in one statement; gives their ids. */
export async function buildSales(db: Db, sales: readonly Sale[]): Promise<string[]> {
  const rows = sales.map((sale) => ({ ...sale, id: newId() }));
  const flags = rows.flatMap((row) => (row.flags ?? []).map((rule) => ({ ...row, rule })));
  const action = (isRejected: boolean | undefined): FraudAction => (isRejected ? 'reject' : 'flag');
  await execute(
    db,
    `WITH sale AS (SELECT * FROM json_populate_recordset(NULL::conversions, $1)),
     sold AS (
       INSERT INTO conversions (id, workspace_id, mode, external_transaction_id, source, event_type,
         amount_cents, currency, occurred_at, attributed, new_customer, reason, explanation, matched_by, promo_code,
         program_id, participant_id, link_id, refunded_amount_cents, created_at)
       SELECT id, workspace_id, mode, id::text, 'api', event_type, amount_cents, currency, occurred_at,
              attributed, new_customer, reason, '', matched_by, promo_code, program_id, participant_id, link_id,
              refunded_amount_cents, now() FROM sale)
     INSERT INTO fraud_flags (id, workspace_id, mode, program_id, participant_id, conversion_id, rule,
       action, value, occurred_at, created_at)
     SELECT id, workspace_id, mode, program_id, participant_id, conversion_id, rule, action, 'true',
            occurred_at, now() FROM json_populate_recordset(NULL::fraud_flags, $2)`,
    [
      JSON.stringify(rows.map(saleRow)),
      JSON.stringify(
        flags.map((flag) => ({
          ...ownerOf(flag.participant),
          id: newId(),
          conversion_id: flag.id,
          rule: flag.rule,
          action: action(flag.isRejected),
          occurred_at: flag.at,
        })),
      ),
    ],
  );
  return rows.map(({ id }) => id);
}

function saleRow(sale: Sale & { id: string }) {
  const { id, participant, at, amountCents = 1_000, promoCode, isRejected = false } = sale;
  return {
    ...ownerOf(participant),
    id,
    amount_cents: amountCents,
    currency: sale.currency === undefined ? 'usd' : sale.currency,
    occurred_at: at,
    attributed: !isRejected,
    event_type: sale.eventType ?? 'purchase',
    new_customer: sale.newCustomer ?? false,
    reason: isRejected ? 'FRAUD_REJECTED' : 'ATTRIBUTED',
    matched_by: promoCode ? 'promo_code' : 'click',
    promo_code: promoCode ?? null,
    link_id: promoCode ? null : (sale.linkId ?? participant.linkId),
    refunded_amount_cents: sale.refundedCents ?? 0,
  };
}

function ownerOf(participant: BuiltParticipant) {
  return {
    workspace_id: participant.workspaceId,
    mode: participant.mode,
    program_id: participant.programId,
    participant_id: participant.id,
  };
}

export interface Visit {
  participant: BuiltParticipant;
  at: Date;
  linkId?: string;
}

/** Clicks as they are stored, in one statement. */
export async function buildVisits(db: Db, visits: readonly Visit[]): Promise<void> {
  const rows = visits.map(({ participant, at, linkId }) => ({
    ...ownerOf(participant),
    id: newId(at),
    created_at: at,
    link_id: linkId ?? participant.linkId,
  }));
  await execute(
    db,
    `INSERT INTO clicks (id, created_at, workspace_id, mode, program_id, participant_id, link_id,
       visitor_id, creditable, expires_at)
     SELECT id, created_at, workspace_id, mode, program_id, participant_id, link_id, id, true,
            created_at + interval '30 days' FROM json_populate_recordset(NULL::clicks, $1)`,
    [JSON.stringify(rows)],
  );
}
