/** A statement that may read more than it gives, known by a part of its text, and why. */
export interface Known {
  part: string;
  why: string;
}

/** Whatever the planner knows. */
export const known: readonly Known[] = [
  {
    part: `AND status IN ('succeeded', 'dead_letter', 'cancelled') ORDER BY id LIMIT`,
    why: 'deliveries are open for five days at most, so that few stand before the first that is past its time',
  },
  {
    part: `status IN ('succeeded', 'dead_letter', 'cancelled') ORDER BY id LIMIT 1`,
    why: 'the same',
  },
  {
    part: 'DELETE FROM ledger_mismatches WHERE commission_id = ANY($1)',
    why: 'it reads what one batch of the check had looked at',
  },
  {
    part: `WITH counted AS ( SELECT program_id, 'clicks' AS measure`,
    why: 'the index of occurred_at knows ranges of pages (BRIN), of which a small table has few',
  },
  {
    part: 'WITH figure AS MATERIALIZED ( SELECT participant_id',
    why: 'partners are sorted by figures that are sums over their days',
  },
  {
    part: `l.type IN ('payout', 'payout_reversal', 'adjustment', 'reversal')`,
    why: "a partner's month is read, and its accruals are left out",
  },
  {
    part: 'SELECT ref FROM outbox WHERE topic = $1 AND ref = ANY($2)',
    why: 'it walks once over what waits of a topic, which an index of refs would cost each write of the outbox',
  },
  {
    part: 'AND expires_at > $2 AND email > $3 ORDER BY email LIMIT',
    why: 'open invites are few: the planner may go by their end, or sort those of a workspace',
  },
];

/**
 * The plans that are known until autovacuum has come by: statistics are a minute old, and rows came
 * by the thousand.
 */
export const untilAnalyzed: readonly Known[] = [
  {
    part: 'WITH RECURSIVE waiting AS ( (SELECT d.endpoint_id FROM webhook_deliveries',
    why: 'a round of the repair reads what is open once more for each endpoint',
  },
  {
    part: 'FROM outbox o WHERE o.topic = $1',
    why: 'a claim walks over what waits; the table has settings of its own for autovacuum',
  },
  {
    part: '< $1 AND true ORDER BY',
    why: 'nothing that came a minute ago is past its time',
  },
  {
    part: `'applications'::text AS kind`,
    why: 'the partners of a programme are read for those who wait, until the planner knows how few they are',
  },
  {
    part: 'FROM stripe_events AS e WHERE e.status IN',
    why: 'a batch of the repair sorts what is open',
  },
  ...[
    'SELECT l.id AS "id", l.created_at AS "createdAt", l.actor_type',
    'SELECT e.id AS "id", e.type AS "type", e.object_id AS "objectId"',
    // Of each week's partition a little, so that the choice hangs on the day.
    'SELECT events.id AS "id", events.seq AS "seq"',
    'FROM commissions AS c WHERE c.program_id = $1 AND c.participant_id = ANY($2)',
    'WITH unfolded_clicks AS MATERIALIZED',
    'SELECT p.id AS "participantId", p.partner_name AS "partnerName"',
  ].map((part) => ({ part, why: 'a page sorts what a list has, until the planner knows better' })),
];
