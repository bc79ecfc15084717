import { selectList, type Selection } from '../../entities/database/columns';
import { minConversionsForRefundRate } from '../../entities/rules/fraud/fraud';
import { seenSql } from '../customers/write';
import { groupColumns, termsColumns as ofCommission } from '../programs/former-terms';
import { Participant } from '../../entities/tables/partners/participant.entity';
import { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import { Program } from '../../entities/tables/programs/program.entity';

/** The columns of a programme by which a report is judged and paid. */
export const termsColumns = [
  ...ofCommission,
  'bannedSources',
] as const satisfies Selection<Program>;

export const programColumns = {
  programId: 'id',
  programStatus: 'status',
  programName: 'name',
  salesFrom: 'salesFrom',
} as const satisfies Selection<Program>;

export const participantColumns = {
  participantId: 'id',
  groupId: 'groupId',
  participantStatus: 'status',
  partnerName: 'partnerName',
  partnerEmail: 'partnerEmail',
} as const satisfies Selection<Participant>;

/** The number of a participant's newest clicks and conversions that are read for a report. */
const maxJudged = 5_000;

// One row for each candidate that exists, and one for a payment that is known already. Each
// part is an index look-up: LIMIT keeps the planner from reading whole tables, which it prefers when
// it plans while they are small, and would go on doing when they are not. Parameters are sub-selects
// so that no plan can be made for their values: planning costs ten times what the look-ups do.
// Where most rows belong to one programme or partner, EXISTS would read all of them for another who
// has none: the order of an index, which EXISTS ignores, keeps the planner to that index.
// Nothing is counted without a bound: of a busy partner the newest rows speak for the rest. Without
// any refund there is nothing to divide, and few conversions show that the rule applies.
export const signalsSql = `
  WITH question AS (
    SELECT * FROM unnest((SELECT $1::uuid[]), (SELECT $2::text[]), (SELECT $3::uuid[]),
                         (SELECT $4::timestamptz[]), (SELECT $5::text[]), (SELECT $6::uuid[]),
                         (SELECT $7::text[]), (SELECT $8::text[]))
      WITH ORDINALITY AS q (workspace_id, mode, click_id, clicked_at, code, credit_to, customer_id,
                            prospect_hash, n)
  ), found AS (
    SELECT q.n, 'click' AS found_by, c.mode, c.program_id, c.participant_id, c.id AS found_id,
           c.link_id, c.created_at AS clicked_at, c.expires_at AS window_ends_at, c.creditable, c.user_agent,
           c.ip_hash, c.url, c.referrer, NULL AS code, NULL::text AS bound_by, NULL::timestamptz AS bound_at,
           NULL::text AS seen, NULL::jsonb AS first_payments, NULL::timestamptz AS last_paid_at,
           q.mode AS own_mode, q.customer_id, q.prospect_hash
      FROM question q JOIN LATERAL (
        SELECT * FROM clicks
         WHERE id = q.click_id AND created_at = q.clicked_at AND workspace_id = q.workspace_id
         LIMIT 1) c ON true
    UNION ALL
    SELECT q.n, 'promo_code', m.mode, m.program_id, m.participant_id, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, m.code, NULL, NULL, NULL, NULL, NULL, q.mode, q.customer_id, q.prospect_hash
      FROM question q JOIN LATERAL (
        SELECT * FROM promo_codes
         WHERE workspace_id = q.workspace_id AND mode IN ('test', 'live') AND code = q.code
         LIMIT 2) m ON true
    UNION ALL
    SELECT q.n, 'duplicate', q.mode, NULL, NULL, a.conversion_id, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, q.mode, NULL, NULL
      FROM unnest((SELECT $10::int[]), (SELECT $11::text[])) AS known (n, alias)
      JOIN question q ON q.n = known.n
      JOIN LATERAL (
        SELECT conversion_id FROM conversion_aliases
         WHERE workspace_id = q.workspace_id AND mode = q.mode AND alias = known.alias
         LIMIT 1) a ON true
    UNION ALL
    SELECT q.n, 'customer', u.mode, u.program_id, u.participant_id, u.id, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, named.alias, u.source, u.bound_at, ${seenSql},
           u.first_payments, u.last_paid_at, q.mode, q.customer_id,
           q.prospect_hash
      FROM unnest((SELECT $12::int[]), (SELECT $13::text[])) AS named (n, alias)
      JOIN question q ON q.n = named.n
      JOIN LATERAL (
        SELECT customer FROM customer_aliases
         WHERE workspace_id = q.workspace_id AND mode = q.mode AND alias = named.alias
         LIMIT 1) a ON true
      JOIN LATERAL (SELECT * FROM customers WHERE id = a.customer LIMIT 1) u ON true
    UNION ALL
    SELECT q.n, 'credit', p.mode, p.program_id, p.id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
           NULL, NULL, NULL, NULL, NULL, NULL, NULL, q.mode, q.customer_id, q.prospect_hash
      FROM question q JOIN LATERAL (
        SELECT * FROM participants
         WHERE id = q.credit_to AND workspace_id = q.workspace_id AND mode = q.mode
         LIMIT 1) p ON true
  )
  SELECT found.n, found.found_by AS "foundBy", found.mode, found.found_id AS "foundId",
         found.link_id AS "linkId", found.clicked_at AS "clickedAt",
         found.window_ends_at AS "windowEndsAt", found.creditable,
         found.user_agent AS "userAgent", found.ip_hash AS "ipHash", found.url, found.referrer,
         found.code,
         found.bound_by AS "boundBy", found.bound_at AS "boundAt",
         found.seen, found.first_payments AS "firstPayments", found.last_paid_at AS "lastPaidAt",
         ${selectList(Participant, 'p', participantColumns)}, p.erased_at IS NOT NULL AS erased,
         ${selectList(Program, 'g', programColumns)},
         ${selectList(ProgramGroup, 'r', groupColumns)},
         (SELECT true FROM commissions WHERE program_id = g.id ORDER BY id LIMIT 1) IS NOT NULL
           AS "hasCommissions",
         ${selectList(Program, 'g', termsColumns)}, f.rules AS "fraudSettings",
         seen.ip_is_partners AS "ipIsPartners", seen.clicks_from_ip AS "clicksFromIp",
         seen.customer_is_anothers AS "customerIsAnothersToo",
         seen.sells_by_stripe AS "sellsByStripe", counted.refunded,
         counted.conversions
    FROM found
    LEFT JOIN LATERAL (SELECT * FROM participants WHERE id = found.participant_id LIMIT 1) p ON true
    LEFT JOIN LATERAL (SELECT * FROM programs WHERE id = found.program_id LIMIT 1) g ON true
    LEFT JOIN LATERAL (
      SELECT * FROM program_groups WHERE id = coalesce(p.group_id, p.program_id) LIMIT 1) r ON true
    LEFT JOIN LATERAL (
      SELECT * FROM program_fraud_rules WHERE program_id = found.program_id LIMIT 1) f ON true
    LEFT JOIN LATERAL (
      SELECT
        found.ip_hash IS NOT NULL AND EXISTS (
          SELECT 1 FROM account_addresses s
           WHERE s.account_id = p.partner_id AND s.ip_hash = ANY (string_to_array(found.ip_hash, ' '))
             AND s.side = 'partner'
             AND s.last_seen_at >= (SELECT $9::timestamptz) - interval '30 days') AS ip_is_partners,
        CASE WHEN found.ip_hash IS NULL THEN 0 ELSE
          (SELECT count(*) FROM (
            SELECT k.ip_hash FROM clicks k
             WHERE k.participant_id = found.participant_id
               AND k.created_at >= found.clicked_at - interval '1 hour'
               AND k.created_at < found.clicked_at
             ORDER BY k.created_at DESC LIMIT ${maxJudged}) AS earlier
            WHERE earlier.ip_hash = found.ip_hash) END AS clicks_from_ip,
        (found.customer_id <> '' AND EXISTS (
          SELECT 1 FROM conversions v
           WHERE v.program_id = found.program_id AND v.attributed AND v.customer_id <> ''
             AND v.customer_id = found.customer_id AND v.participant_id <> found.participant_id))
        OR (found.prospect_hash IS NOT NULL AND EXISTS (
          SELECT 1 FROM conversions v
           WHERE v.program_id = found.program_id AND v.attributed
             AND v.prospect_hash = found.prospect_hash AND v.participant_id <> found.participant_id)
        ) AS customer_is_anothers,
        EXISTS (
          SELECT 1 FROM stripe_connections c
           WHERE c.workspace_id = p.workspace_id AND c.mode = found.mode AND c.deleted_at IS NULL
             AND c.webhook_secret IS NOT NULL) AS sells_by_stripe,
        (SELECT true FROM conversions v
           WHERE v.participant_id = found.participant_id AND v.attributed
             AND v.refunded_amount_cents > 0
             AND v.occurred_at >= (SELECT $9::timestamptz) - interval '90 days'
           ORDER BY v.occurred_at LIMIT 1) IS NOT NULL AS has_refunds
    ) seen ON found.mode = found.own_mode AND p.id IS NOT NULL
    LEFT JOIN LATERAL (
      SELECT count(*) AS conversions,
             count(*) FILTER (WHERE newest.refunded_amount_cents > 0) AS refunded
        FROM (
        SELECT v.refunded_amount_cents FROM conversions v
         WHERE v.participant_id = found.participant_id AND v.attributed
           AND v.occurred_at >= (SELECT $9::timestamptz) - interval '90 days'
         ORDER BY v.occurred_at DESC
         LIMIT CASE WHEN seen.has_refunds THEN ${maxJudged}
                    ELSE ${minConversionsForRefundRate} END
      ) newest
    ) counted ON seen.has_refunds IS NOT NULL`;
