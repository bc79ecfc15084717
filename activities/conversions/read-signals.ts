import { isUuid, uuidTime } from '../../entities/ids';
import type { TermsSource } from '../../entities/rules/commissions/amount';
import { minConversionsForRefundRate, type FraudSettings } from '../../entities/rules/fraud/fraud';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import type { ParticipantStatus } from '../../entities/rules/partners/participant-status';
import type {
  CommissionBasis,
  CommissionRule,
  CommissionType,
  ProgramStatus,
} from '../../entities/rules/programs/terms';
import { isCodeShaped, promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { ReviewSettings } from '../../entities/rules/commissions/review-reasons';
import { prepared, type Db } from '../../entities/database/sql';

/** What of a report decides which rows are looked at. */
export interface FactsQuestion {
  scope: Scope;
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
  program: {
    id: string;
    status: ProgramStatus;
    name: string;
    /** From its first commission on, the currency is fixed. */
    hasCommissions: boolean;
  } & TermsSource &
    ReviewSettings;
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
  /** Number of the question, from 1. */
  n: number;
  way: Way | 'duplicate';
  mode: Mode;
  /** Of the click, or of the conversion that has the id already. */
  foundId: string | null;
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
  hasCommissions: boolean;
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

/** So many of a participant's newest clicks and conversions are looked at for a report. */
const mostJudged = 5_000;

// One row for each way to a partner that exists, and one for a payment that is known already. Each
// part is an index look-up: LIMIT keeps the planner from reading whole tables, which it prefers when
// it plans while they are small, and would go on doing when they are not. Parameters are sub-selects
// so that no plan can be made for their values: planning costs ten times what the look-ups do.
// Nothing is counted without a bound: of a busy partner the newest rows speak for the rest. Without
// any refund there is nothing to divide, and few conversions show that the rule applies.
const factsSql = `
  WITH question AS (
    SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::text[]), (SELECT $3::uuid[]),
                         (SELECT $4::timestamptz[]), (SELECT $5::text[]), (SELECT $6::uuid[]),
                         (SELECT $7::text[]), (SELECT $8::text[]))
      WITH ORDINALITY AS q (workspace_id, mode, click_id, clicked_at, code, credit_to, customer_id,
                            prospect_hash, n)
  ), way AS (
    SELECT q.n, 'click' AS way, c.mode, c.program_id, c.participant_id, c.id AS found_id, c.link_id,
           c.created_at AS clicked_at, c.expires_at AS window_ends_at, c.creditable, c.user_agent,
           c.ip_hash, NULL AS code, q.mode AS own_mode, q.customer_id, q.prospect_hash
      FROM question q JOIN LATERAL (
        SELECT * FROM clicks
         WHERE id = q.click_id AND created_at = q.clicked_at AND workspace_id = q.workspace_id
         LIMIT 1) c ON true
    UNION ALL
    SELECT q.n, 'promo_code', m.mode, m.program_id, m.participant_id, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, m.code, q.mode, q.customer_id, q.prospect_hash
      FROM question q JOIN LATERAL (
        SELECT * FROM promo_codes
         WHERE workspace_id = q.workspace_id AND mode IN ('test', 'live') AND code = q.code
         LIMIT 2) m ON true
    UNION ALL
    SELECT q.n, 'duplicate', q.mode, NULL, NULL, a.conversion_id, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, q.mode, NULL, NULL
      FROM unnest((SELECT $10::int[]), (SELECT $11::text[])) AS known (n, alias)
      JOIN question q ON q.n = known.n
      JOIN LATERAL (
        SELECT conversion_id FROM conversion_aliases
         WHERE workspace_id = q.workspace_id AND mode = q.mode AND alias = known.alias
         LIMIT 1) a ON true
    UNION ALL
    SELECT q.n, 'credit', p.mode, p.program_id, p.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           q.mode, q.customer_id, q.prospect_hash
      FROM question q JOIN LATERAL (
        SELECT * FROM participants
         WHERE id = q.credit_to AND workspace_id = q.workspace_id AND mode = q.mode
         LIMIT 1) p ON true
  )
  SELECT way.n, way.way, way.mode, way.found_id AS "foundId", way.link_id AS "linkId",
         way.clicked_at AS "clickedAt", way.window_ends_at AS "windowEndsAt", way.creditable,
         way.user_agent AS "userAgent", way.ip_hash AS "ipHash", way.code,
         p.id AS "participantId", p.status AS "participantStatus",
         p.erased_at IS NOT NULL AS erased, p.partner_name AS "partnerName",
         p.partner_email AS "partnerEmail",
         g.id AS "programId", g.status AS "programStatus", g.name AS "programName", g.currency,
         EXISTS (SELECT 1 FROM commissions WHERE program_id = g.id) AS "hasCommissions",
         g.accepted_currencies AS "acceptedCurrencies", g.review_above_cents AS "reviewAboveCents",
         g.commission_type AS "commissionType", g.rate_bps AS "rateBps",
         g.amount_cents AS "amountCents", g.basis, g.recurring,
         g.recurring_months AS "recurringMonths", g.hold_days AS "holdDays",
         g.auto_approve AS "autoApprove", g.rules, f.rules AS "fraudSettings",
         seen.ip_is_partners AS "ipIsPartners", seen.clicks_from_ip AS "clicksFromIp",
         seen.customer_is_anothers AS "customerIsAnothersToo", counted.refunded,
         counted.conversions
    FROM way
    LEFT JOIN LATERAL (SELECT * FROM participants WHERE id = way.participant_id LIMIT 1) p ON true
    LEFT JOIN LATERAL (SELECT * FROM programs WHERE id = way.program_id LIMIT 1) g ON true
    LEFT JOIN LATERAL (
      SELECT * FROM program_fraud_rules WHERE program_id = way.program_id LIMIT 1) f ON true
    LEFT JOIN LATERAL (
      SELECT
        way.ip_hash IS NOT NULL AND EXISTS (
          SELECT 1 FROM account_addresses s
           WHERE s.account_id = p.partner_id AND s.ip_hash = ANY (string_to_array(way.ip_hash, ' '))
             AND s.side = 'partner'
             AND s.last_seen_at >= (SELECT $9::timestamptz) - interval '30 days') AS ip_is_partners,
        CASE WHEN way.ip_hash IS NULL THEN 0 ELSE
          (SELECT count(*) FROM (
            SELECT k.ip_hash FROM clicks k
             WHERE k.participant_id = way.participant_id
               AND k.created_at >= way.clicked_at - interval '1 hour'
               AND k.created_at < way.clicked_at
             ORDER BY k.created_at DESC LIMIT ${mostJudged}) AS earlier
            WHERE earlier.ip_hash = way.ip_hash) END AS clicks_from_ip,
        (way.customer_id <> '' AND EXISTS (
          SELECT 1 FROM conversions v
           WHERE v.program_id = way.program_id AND v.attributed AND v.customer_id <> ''
             AND v.customer_id = way.customer_id AND v.participant_id <> way.participant_id))
        OR (way.prospect_hash IS NOT NULL AND EXISTS (
          SELECT 1 FROM conversions v
           WHERE v.program_id = way.program_id AND v.attributed
             AND v.prospect_hash = way.prospect_hash AND v.participant_id <> way.participant_id)
        ) AS customer_is_anothers,
        EXISTS (
          SELECT 1 FROM conversions v
           WHERE v.participant_id = way.participant_id AND v.attributed
             AND v.refunded_amount_cents > 0
             AND v.occurred_at >= (SELECT $9::timestamptz) - interval '90 days') AS has_refunds
    ) seen ON way.mode = way.own_mode AND p.id IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT count(*) AS conversions,
             count(*) FILTER (WHERE newest.refunded_amount_cents > 0) AS refunded
        FROM (
        SELECT v.refunded_amount_cents FROM conversions v
         WHERE v.participant_id = way.participant_id AND v.attributed
           AND v.occurred_at >= (SELECT $9::timestamptz) - interval '90 days'
         ORDER BY v.occurred_at DESC
         LIMIT CASE WHEN seen.has_refunds THEN ${mostJudged}
                    ELSE ${minConversionsForRefundRate} END
      ) newest
    ) counted ON seen.has_refunds IS NOT NULL`;

/** All that the decisions on these reports look at, in one round trip; one answer for each. */
export async function readConversionFacts(
  db: Db,
  questions: readonly FactsQuestion[],
  now: Date,
): Promise<ConversionFacts[]> {
  const clickIds = questions.map(({ clickId }) => (isUuid(clickId) ? clickId.toLowerCase() : null));
  const aliases = questions.flatMap((question, index) =>
    question.aliases.map((alias) => ({ n: index + 1, alias })),
  );
  const rows = await prepared<FactsRow>(db, 'conversion_facts', factsSql, [
    questions.map(({ scope }) => scope.workspaceId),
    questions.map(({ scope }) => scope.mode),
    clickIds,
    clickIds.map((id) => id && uuidTime(id)),
    questions.map(({ promoCode }) => codeKey(promoCode)),
    questions.map(({ creditTo }) => creditTo),
    questions.map(({ customerId }) => customerId),
    questions.map(({ prospectHash }) => prospectHash),
    now,
    aliases.map(({ n }) => n),
    aliases.map(({ alias }) => alias),
  ]);

  const byQuestion = questions.map((): FactsRow[] => []);
  for (const row of rows) byQuestion[row.n - 1]?.push(row);
  return questions.map(({ scope }, index) => factsOf(byQuestion[index] ?? [], scope.mode));
}

function codeKey(code: string | null): string | null {
  return code !== null && isCodeShaped(code) ? promoCodeKey(code) : null;
}

function factsOf(rows: readonly FactsRow[], mode: Mode): ConversionFacts {
  const own = rows.filter((row) => row.mode === mode);
  const find = (way: Way): CandidateFacts | null => {
    const row = own.find((candidate) => candidate.way === way);
    return row ? candidateOf(row) : null;
  };
  return {
    duplicateOf: own.find((row) => row.way === 'duplicate')?.foundId ?? null,
    click: find('click'),
    code: find('promo_code'),
    credit: find('credit'),
    isOtherMode: rows.some((row) => row.mode !== mode && !own.some((mine) => mine.way === row.way)),
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
    hasCommissions: row.hasCommissions,
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
  const { foundId, linkId, clickedAt, windowEndsAt, creditable, userAgent, ipHash } = row;
  if (foundId === null || linkId === null || clickedAt === null || windowEndsAt === null)
    return null;
  return {
    id: foundId,
    linkId,
    clickedAt,
    windowEndsAt,
    creditable: creditable === true,
    userAgent,
    ipHash,
  };
}
