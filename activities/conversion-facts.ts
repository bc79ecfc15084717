import { isUuid, uuidTime } from '../entities/ids';
import type { TermsSource } from '../entities/rules/commission-amount';
import { minConversionsForRefundRate, type FraudSettings } from '../entities/rules/fraud';
import type { Mode, Scope } from '../entities/rules/mode';
import type { ParticipantStatus } from '../entities/rules/participant-status';
import type {
  CommissionBasis,
  CommissionRule,
  CommissionType,
  ProgramStatus,
} from '../entities/rules/program-terms';
import { isCodeShaped, promoCodeKey } from '../entities/rules/referral-code';
import type { ReviewSettings } from '../entities/rules/review-reasons';
import { prepared, type Db } from '../entities/sql';

/** What of a report decides which rows are looked at. */
export interface FactsQuestion {
  clickId: string | null;
  promoCode: string | null;
  /** A participant to credit without a signal: the renewal of a known customer. */
  creditTo: string | null;
  /** Every id that the payment is known by. */
  aliases: string[];
  customerId: string | null;
  prospectHash: string | null;
}

/** Everything that is known of one way to a partner, as it stands at the time of the report. */
export interface CandidateFacts {
  mode: Mode;
  program: { id: string; status: ProgramStatus; name: string } & TermsSource & ReviewSettings;
  participant: {
    id: string;
    status: ParticipantStatus;
    erased: boolean;
    name: string;
    email: string;
  };
  code: string | null;
  click: {
    id: string;
    linkId: string;
    clickedAt: Date;
    windowEndsAt: Date;
    creditable: boolean;
    userAgent: string | null;
    ipHash: string | null;
  } | null;
  fraudSettings: Partial<FraudSettings> | null;
  ipIsPartners: boolean;
  clicksFromIp: number;
  customerIsAnothersToo: boolean;
  refunded: number;
  conversions: number;
}

export interface ConversionFacts {
  /** The conversion that has one of the ids already. */
  duplicateOf: string | null;
  click: CandidateFacts | null;
  code: CandidateFacts | null;
  credit: CandidateFacts | null;
  /** A signal that exists in this workspace, in its other mode only. */
  isOtherMode: boolean;
}

type Way = 'click' | 'promo_code' | 'credit';

interface FactsRow {
  way: Way | 'duplicate';
  conversionId: string | null;
  mode: Mode;
  clickId: string | null;
  linkId: string | null;
  clickedAt: Date | null;
  windowEndsAt: Date | null;
  creditable: boolean | null;
  userAgent: string | null;
  ipHash: string | null;
  code: string | null;
  participantId: string | null;
  participantStatus: ParticipantStatus;
  erased: boolean;
  partnerName: string;
  partnerEmail: string;
  programId: string | null;
  programStatus: ProgramStatus;
  programName: string;
  currency: string;
  acceptedCurrencies: string[];
  reviewAboveCents: number | null;
  commissionType: CommissionType;
  rateBps: number | null;
  amountCents: number | null;
  basis: CommissionBasis | null;
  recurring: boolean;
  recurringMonths: number | null;
  holdDays: number;
  autoApprove: boolean;
  rules: CommissionRule[];
  fraudSettings: Partial<FraudSettings> | null;
  ipIsPartners: boolean;
  clicksFromIp: number;
  customerIsAnothersToo: boolean;
  refunded: number;
  conversions: number;
}

// One row for each way to a partner that exists, and one when the payment is known already. Each
// part is an index look-up. Conversions are counted only as far as the refund rate needs them, see
// conversionsToCount; a thousand are counted anyway, so that a back-test can try other thresholds.
const factsSql = `
  WITH way AS (
    SELECT 'duplicate' AS way, a.conversion_id, a.mode, NULL::uuid AS program_id,
           NULL::uuid AS participant_id, NULL::uuid AS click_id, NULL::uuid AS link_id,
           NULL::timestamptz AS clicked_at, NULL::timestamptz AS window_ends_at,
           NULL::boolean AS creditable, NULL::text AS user_agent, NULL::text AS ip_hash,
           NULL::text AS code
      FROM conversion_aliases a
     WHERE a.workspace_id = $1 AND a.mode = $2 AND a.alias = ANY ($3::text[])
    UNION ALL
    SELECT 'click', NULL, c.mode, c.program_id, c.participant_id, c.id, c.link_id, c.created_at,
           c.expires_at, c.creditable, c.user_agent, c.ip_hash, NULL
      FROM clicks c
     WHERE c.id = $4 AND c.created_at = $5 AND c.workspace_id = $1
    UNION ALL
    SELECT 'promo_code', NULL, m.mode, m.program_id, m.participant_id, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, m.code
      FROM promo_codes m
     WHERE m.workspace_id = $1 AND m.mode IN ('test', 'live') AND m.code = $6
    UNION ALL
    SELECT 'credit', NULL, q.mode, q.program_id, q.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM participants q
     WHERE q.id = $7 AND q.workspace_id = $1 AND q.mode = $2
  )
  SELECT way.way, way.conversion_id AS "conversionId", way.mode, way.click_id AS "clickId",
         way.link_id AS "linkId", way.clicked_at AS "clickedAt",
         way.window_ends_at AS "windowEndsAt", way.creditable, way.user_agent AS "userAgent",
         way.ip_hash AS "ipHash", way.code,
         p.id AS "participantId", p.status AS "participantStatus",
         p.erased_at IS NOT NULL AS erased, p.partner_name AS "partnerName",
         p.partner_email AS "partnerEmail",
         g.id AS "programId", g.status AS "programStatus", g.name AS "programName", g.currency,
         g.accepted_currencies AS "acceptedCurrencies", g.review_above_cents AS "reviewAboveCents",
         g.commission_type AS "commissionType", g.rate_bps AS "rateBps",
         g.amount_cents AS "amountCents", g.basis, g.recurring,
         g.recurring_months AS "recurringMonths", g.hold_days AS "holdDays",
         g.auto_approve AS "autoApprove", g.rules, f.rules AS "fraudSettings",
         seen.ip_is_partners AS "ipIsPartners", seen.clicks_from_ip AS "clicksFromIp",
         seen.customer_is_anothers AS "customerIsAnothersToo", seen.refunded,
         counted.conversions
    FROM way
    LEFT JOIN participants p ON p.id = way.participant_id
    LEFT JOIN programs g ON g.id = way.program_id
    LEFT JOIN program_fraud_rules f ON f.program_id = way.program_id
    LEFT JOIN LATERAL (
      SELECT
        EXISTS (SELECT 1 FROM account_addresses s
                 WHERE s.account_id = p.partner_id AND s.ip_hash = way.ip_hash
                   AND s.side = 'partner' AND s.last_seen_at >= $10::timestamptz - interval '30 days'
               ) AS ip_is_partners,
        (SELECT count(*) FROM clicks k
          WHERE k.participant_id = way.participant_id AND k.ip_hash = way.ip_hash
            AND k.created_at >= way.clicked_at - interval '1 hour'
            AND k.created_at < way.clicked_at) AS clicks_from_ip,
        EXISTS (SELECT 1 FROM conversions v
                 WHERE v.program_id = way.program_id AND v.attributed AND v.customer_id <> ''
                   AND v.customer_id = $8 AND v.participant_id <> way.participant_id)
        OR EXISTS (SELECT 1 FROM conversions v
                    WHERE v.program_id = way.program_id AND v.attributed
                      AND v.prospect_hash = $9 AND v.participant_id <> way.participant_id
                  ) AS customer_is_anothers,
        (SELECT count(*) FROM conversions v
          WHERE v.participant_id = way.participant_id AND v.attributed
            AND v.refunded_amount_cents > 0
            AND v.occurred_at >= $10::timestamptz - interval '90 days') AS refunded
    ) seen ON way.mode = $2 AND p.id IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT count(*) AS conversions FROM (
        SELECT 1 FROM conversions v
         WHERE v.participant_id = way.participant_id AND v.attributed
           AND v.occurred_at >= $10::timestamptz - interval '90 days'
         LIMIT CASE WHEN seen.refunded = 0 THEN ${minConversionsForRefundRate} ELSE
           greatest(1000, seen.refunded * 100 / nullif(
             coalesce((f.rules -> 'refund_rate' ->> 'threshold')::bigint, 20), 0) + 1) END
      ) few
    ) counted ON seen.refunded IS NOT NULL`;

/** All that a decision looks at, in one round trip. */
export async function readConversionFacts(
  db: Db,
  scope: Scope,
  question: FactsQuestion,
  now: Date,
): Promise<ConversionFacts> {
  const clickId = isUuid(question.clickId) ? question.clickId.toLowerCase() : null;
  const code = question.promoCode;
  const rows = await prepared<FactsRow>(db, 'conversion_facts', factsSql, [
    scope.workspaceId,
    scope.mode,
    question.aliases,
    clickId,
    clickId && uuidTime(clickId),
    code !== null && isCodeShaped(code) ? promoCodeKey(code) : null,
    question.creditTo,
    question.customerId,
    question.prospectHash,
    now,
  ]);

  const own = rows.filter((row) => row.mode === scope.mode);
  const find = (way: Way): CandidateFacts | null => {
    const row = own.find((candidate) => candidate.way === way);
    return row ? candidateOf(row) : null;
  };
  return {
    duplicateOf: own.find((row) => row.way === 'duplicate')?.conversionId ?? null,
    click: find('click'),
    code: find('promo_code'),
    credit: find('credit'),
    isOtherMode: rows.some(
      (row) => row.mode !== scope.mode && !own.some((mine) => mine.way === row.way),
    ),
  };
}

/** Null when the programme or participant is gone: a reset of test data has taken them. */
function candidateOf(row: FactsRow): CandidateFacts | null {
  if (row.programId === null || row.participantId === null) return null;
  const { fraudSettings, ipIsPartners, clicksFromIp, customerIsAnothersToo } = row;
  return {
    mode: row.mode,
    code: row.code,
    program: programOf(row, row.programId),
    participant: {
      id: row.participantId,
      status: row.participantStatus,
      erased: row.erased,
      name: row.partnerName,
      email: row.partnerEmail,
    },
    click: clickOf(row),
    fraudSettings,
    ipIsPartners,
    clicksFromIp,
    customerIsAnothersToo,
    refunded: row.refunded,
    conversions: row.conversions,
  };
}

function programOf(row: FactsRow, id: string): CandidateFacts['program'] {
  return {
    id,
    status: row.programStatus,
    name: row.programName,
    currency: row.currency,
    acceptedCurrencies: row.acceptedCurrencies,
    reviewAboveCents: row.reviewAboveCents,
    rules: row.rules,
    holdDays: row.holdDays,
    autoApprove: row.autoApprove,
    terms: {
      type: row.commissionType,
      rateBps: row.rateBps,
      amountCents: row.amountCents,
      basis: row.basis,
      recurring: row.recurring,
      recurringMonths: row.recurringMonths,
    },
  };
}

function clickOf(row: FactsRow): CandidateFacts['click'] {
  const { clickId, linkId, clickedAt, windowEndsAt, creditable, userAgent, ipHash } = row;
  if (clickId === null || linkId === null || clickedAt === null || windowEndsAt === null)
    return null;
  return {
    id: clickId,
    linkId,
    clickedAt,
    windowEndsAt,
    creditable: creditable === true,
    userAgent,
    ipHash,
  };
}
