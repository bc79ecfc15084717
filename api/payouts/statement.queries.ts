import { selectList } from '../../entities/database/columns';
import {
  followsPlace,
  foundIn,
  offsetOf,
  orderedBy,
  placeOf,
  readList,
  type Found,
  type Placed,
  type Window,
} from '../../entities/database/list';
import { query, type Db } from '../../entities/database/sql';
import {
  statementFigures,
  typesOfFigure,
} from '../../entities/rules/commissions/statement-figures';
import { erasedEmail, erasedName } from '../../entities/rules/erasure/erasure';
import type { Scope } from '../../entities/rules/values/mode';
import { LedgerEntry } from '../../entities/tables/commissions/ledger-entry.entity';
import type { StatementEntriesQuery, StatementRow, StatementTotalDto } from './statement.dto';

/** Months of a statement, `YYYY-MM` in UTC one after the other, of all programmes or one. */
export interface StatementOf {
  scope: Scope;
  months: readonly string[];
  programId?: string | undefined;
}

const monthOf = `to_char(l.created_at AT TIME ZONE 'UTC', 'YYYY-MM')`;

const figureSums = statementFigures
  .map((figure) => {
    const types = typesOfFigure(figure).map((type) => `'${type}'`);
    const own = types.length > 0 ? `l.type IN (${types.join(', ')})` : 'false';
    return `coalesce(sum(l.amount_cents) FILTER (WHERE ${own}), 0) AS "${figure}"`;
  })
  .join(', ');

const figuresOfMonth = statementFigures
  .map((figure) => `coalesce(g."${figure}", 0) AS "${figure}"`)
  .join(', ');

/**
 * One row of each partner, month of $3 and currency, of the entries before $4 that fit: those with a
 * movement, and those that carry something on. `before` is what the ledger came to until a month.
 */
const rowsOf = (fits: string): string => `
  WITH g AS (
    SELECT l.participant_id, l.currency, CASE WHEN ${monthOf} < ($3::text[])[1] THEN '' ELSE ${monthOf} END AS month,
           ${figureSums}, sum(l.amount_cents) AS moved, true AS is_moved
      FROM ledger_entries AS l WHERE ${fits} AND l.created_at < $4 GROUP BY 1, 2, 3),
   r AS (
    SELECT k.participant_id, k.currency, m.month, ${figuresOfMonth}, g.is_moved,
           coalesce(g.moved, 0) AS moved,
           coalesce(b.moved, 0) + sum(coalesce(g.moved, 0))
             OVER (PARTITION BY k.participant_id, k.currency ORDER BY m.month) AS closing
      FROM (SELECT DISTINCT participant_id, currency FROM g) AS k
     CROSS JOIN unnest($3::text[]) AS m (month)
      LEFT JOIN g USING (participant_id, currency, month)
      LEFT JOIN g AS b ON b.participant_id = k.participant_id AND b.currency = k.currency
        AND b.month = '')
  SELECT r.*, closing - moved AS opening FROM r WHERE is_moved OR closing <> moved`;

/**
 * Partners of whom only the ledger knows: those of imports that were taken back. It is asked where there was such
 * an import.
 */
const gone = `SELECT DISTINCT l.participant_id, '${erasedName}', '${erasedEmail}', l.program_id
    FROM ledger_entries AS l
   WHERE l.workspace_id = $1 AND l.mode = $2 AND ($5::uuid IS NULL OR l.program_id = $5)
     AND (SELECT count(*) FROM imports WHERE workspace_id = $1 AND mode = $2 AND status = 'undone') > 0
     AND NOT EXISTS (SELECT 1 FROM participants AS o WHERE o.id = l.participant_id)`;

/** Each partner's rows, so that a part of the list costs what its partners have. */
const from = `(SELECT id, partner_name, partner_email, program_id FROM participants
    WHERE program_id IN (SELECT id FROM programs WHERE workspace_id = $1 AND mode = $2)
      AND ($5::uuid IS NULL OR program_id = $5)
    UNION ALL ${gone}) AS p
  CROSS JOIN LATERAL (${rowsOf('l.participant_id = p.id')}) AS s`;

const amounts = ['opening', ...statementFigures, 'closing'];
const amountColumns = amounts.map((name) => `s."${name}"::bigint AS "${name}Cents"`).join(', ');

const order = { by: ['p.id', 's.month', 's.currency'], direction: 'ASC' } as const;

/** The rows of a statement, a partner's together, in the order in which the partners joined. */
export async function listStatement(
  db: Db,
  statement: StatementOf,
  window: Window,
): Promise<Found<StatementRow> & { totals: StatementTotalDto[] }> {
  const params = paramsOf(statement);
  const follows = followsPlace(order, window.after ?? [], params.length);
  // The order is that of the partners: those before the place are not read.
  const partners = window.after ? 'AND p.id >= ' + `$${params.length + 1}` : '';
  const rows = await query<Placed<StatementRow>>(
    db,
    `SELECT p.id AS "participantId", p.partner_name AS "partnerName",
            p.partner_email AS "partnerEmail", p.program_id AS "programId", s.month, s.currency,
            ${amountColumns}, ${placeOf(order)} AS place
       FROM ${from} WHERE ${follows.text} ${partners} ${orderedBy(order)}
      LIMIT ${window.limit + 1} OFFSET ${offsetOf(window)}`,
    [...params, ...follows.params],
  );
  const sums = await query<StatementTotalDto & { rows: number }>(db, totalsSql, params);
  const total = sums.reduce((sum, one) => sum + one.rows, 0);
  const totals = sums.map(({ rows: _counted, ...one }) => one);
  return { ...foundIn(rows, window, total), totals };
}

const totalSums = amounts.map((name) => `sum(s."${name}")::bigint AS "${name}Cents"`).join(', ');
const whole = `l.workspace_id = $1 AND l.mode = $2 AND ($5::uuid IS NULL OR l.program_id = $5)`;

const totalsSql = `SELECT s.month, s.currency, count(*)::int AS rows, ${totalSums}
  FROM (${rowsOf(whole)}) AS s GROUP BY s.month, s.currency ORDER BY s.month, s.currency`;

const lastPartner = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A part of the export, in the same order, the totals last; its first column is the row's key. */
export function statementPage(
  statement: StatementOf,
  after: string | null,
  limit: number,
): { text: string; params: unknown[] } {
  const place = after?.split(' ') ?? ['00000000-0000-0000-0000-000000000000', '', ''];
  const texts = amounts.map((name) => `s."${name}"::bigint::text`).join(', ');
  const totals = amounts.map((name) => `sum(s."${name}")::bigint::text`).join(', ');
  return {
    text: `WITH page AS MATERIALIZED (
        SELECT concat_ws(' ', p.id, s.month, s.currency) AS key, s.month, p.partner_name,
               p.partner_email, p.id::text AS participant_id, p.program_id::text, s.currency, ${texts}
          FROM ${from}
         WHERE p.id >= $6::uuid AND (p.id, s.month, s.currency) > ($6::uuid, $7::text, $8::text)
         ORDER BY p.id, s.month, s.currency LIMIT ${limit})
      SELECT * FROM page
      UNION ALL
      (SELECT concat_ws(' ', '${lastPartner}', s.month, s.currency), s.month, 'total', '', '', '',
              s.currency, ${totals}
         FROM (${rowsOf(whole)}) AS s
        WHERE (SELECT count(*) FROM page) < ${limit}
          AND ('${lastPartner}', s.month, s.currency) > ($6::uuid::text, $7::text, $8::text)
        GROUP BY s.month, s.currency ORDER BY s.month, s.currency)
       ORDER BY 1 LIMIT ${limit}`,
    params: [...paramsOf(statement), ...place],
  };
}

function paramsOf({ scope, months, programId }: StatementOf): unknown[] {
  const end = spanOf(months.at(-1) ?? '')[1];
  return [scope.workspaceId, scope.mode, months, end, programId ?? null];
}

/** The figure that an entry `l` belonged to; an adjustment that was undone takes itself back. */
const figureOf = `CASE l.type WHEN 'payout' THEN 'paid' WHEN 'payout_reversal' THEN 'returned'
  ELSE 'adjusted' END`;

const settled = `l.workspace_id = $1 AND l.mode = $2
  AND l.type IN ('payout', 'payout_reversal', 'adjustment', 'reversal')
  AND (l.type <> 'reversal' OR EXISTS (SELECT 1 FROM commissions AS c
    WHERE c.id = l.commission_id AND c.commission_type = 'adjustment'))
  AND l.created_at >= $3 AND l.created_at < $4`;

/** What a partner was paid, what came back and was adjusted in a month, oldest first. */
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
