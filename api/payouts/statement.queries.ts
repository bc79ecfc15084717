import { selectList } from '../../entities/database/columns';
import { readList, type Found, type Window } from '../../entities/database/list';
import type { Db } from '../../entities/database/sql';
import type { Scope } from '../../entities/rules/values/mode';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import type { StatementEntriesQuery, StatementRow } from './statement.dto';

/** The figure that an entry `l` belongs to; an adjustment that was undone takes itself back. */
const figureOf = `CASE l.type WHEN 'payout' THEN 'paid' WHEN 'payout_reversal' THEN 'returned'
  ELSE 'adjusted' END`;

const monthOf = `to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM')`;

/** Entries under `l` of workspace $1 and mode $2 that a statement sums, from $3 and before $4. */
const settled = `l.workspace_id = $1 AND l.mode = $2
  AND l.type IN ('payout', 'payout_reversal', 'adjustment', 'reversal')
  AND (l.type <> 'reversal' OR EXISTS (SELECT 1 FROM commissions AS c
    WHERE c.id = l.commission_id AND c.commission_type = 'adjustment'))
  AND l.created_at >= $3 AND l.created_at < $4`;

/** A year, of all programmes or one. */
export interface StatementOf {
  scope: Scope;
  /** In UTC. */
  year: number;
  programId?: string | undefined;
}

/** The entries of $1 to $5, summed: one row a participant, month and currency. */
const sums = `SELECT l.participant_id, ${monthOf} AS month, l.currency,
    (-coalesce(sum(l.amount_cents) FILTER (WHERE ${figureOf} = 'paid'), 0))::bigint AS paid,
    coalesce(sum(l.amount_cents) FILTER (WHERE ${figureOf} = 'returned'), 0)::bigint AS returned,
    coalesce(sum(l.amount_cents) FILTER (WHERE ${figureOf} = 'adjusted'), 0)::bigint AS adjusted
  FROM ledger_entries AS l
 WHERE ${settled} AND ($5::uuid IS NULL OR l.program_id = $5)`;

const grouped = 'GROUP BY l.participant_id, month, l.currency';
const ordered = 'ORDER BY participant_id, month, currency';

const columns = `s.participant_id AS "participantId", p.partner_name AS "partnerName",
  p.partner_email AS "partnerEmail", p.program_id AS "programId", s.month, s.currency,
  s.paid AS "paidCents", s.returned AS "returnedCents", s.adjusted AS "adjustedCents"`;

/** The sums of a year, a partner's together, in the order in which the partners joined. */
export function listStatement(
  db: Db,
  statement: StatementOf,
  page: Window,
): Promise<Found<StatementRow>> {
  const list = {
    columns,
    from: `(${sums} ${grouped}) AS s`,
    joins: 'JOIN participants AS p ON p.id = s.participant_id',
    where: 'true',
    params: paramsOf(statement),
    order: { by: ['s.participant_id', 's.month', 's.currency'], direction: 'ASC' },
  } as const;
  return readList(db, list, page);
}

/** A part of the export, in the same order; its first column is the row's key. */
export function statementPage(
  statement: StatementOf,
  after: string | null,
  limit: number,
): { text: string; params: unknown[] } {
  const [participantId = null, month = null, currency = null] = after?.split(' ') ?? [];
  const follows = `($6::uuid IS NULL OR l.participant_id >= $6
    AND (l.participant_id, ${monthOf}, l.currency) > ($6, $7::text, $8::text))`;
  return {
    text: `SELECT concat_ws(' ', s.participant_id, s.month, s.currency), s.month, p.partner_name,
                  p.partner_email, s.participant_id::text, p.program_id::text, s.currency,
                  s.paid::text, s.returned::text, s.adjusted::text
             FROM (${sums} AND ${follows} ${grouped} ${ordered} LIMIT $9) AS s
             JOIN participants AS p ON p.id = s.participant_id
            ORDER BY s.participant_id, s.month, s.currency`,
    params: [...paramsOf(statement), participantId, month, currency, limit],
  };
}

function paramsOf({ scope, year, programId }: StatementOf): unknown[] {
  const span = [new Date(Date.UTC(year, 0)), new Date(Date.UTC(year + 1, 0))];
  return [scope.workspaceId, scope.mode, ...span, programId ?? null];
}

/** The ledger entries that the figures of one row are the sums of, oldest first. */
export function listStatementEntries(
  db: Db,
  scope: Scope,
  filter: StatementEntriesQuery,
): Promise<Found<LedgerEntry>> {
  const { participantId, month, currency = null, figure = null, programId = null } = filter;
  const filters = [participantId, currency, figure, programId];
  const list = {
    columns: selectList(LedgerEntry, 'l'),
    from: 'ledger_entries AS l',
    where: `${settled} AND l.participant_id = $5 AND ($6::text IS NULL OR l.currency = $6)
      AND ($7::text IS NULL OR ${figureOf} = $7) AND ($8::uuid IS NULL OR l.program_id = $8)`,
    params: [scope.workspaceId, scope.mode, ...spanOf(month), ...filters],
    order: { by: ['l.created_at', 'l.id'], direction: 'ASC' },
  } as const;
  return readList(db, list, filter);
}

function spanOf(month: string): [Date, Date] {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return [new Date(Date.UTC(year, number - 1)), new Date(Date.UTC(year, number))];
}
