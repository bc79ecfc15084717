import type { Span } from '../../entities/rules/analytics/period';
import {
  foundIn,
  orderedBy,
  windowStatement,
  type Found,
  type Order,
  type Placed,
  type Window,
} from '../../entities/database/list';
import { literalPattern, query, type Db } from '../../entities/database/sql';
import type { PartnerFilter, PartnerSortKey } from './analytics-query.dto';
import { fieldsOf } from '../http/contract/validators';
import { PartnerFiguresDto } from './analytics.dto';
import { inGroup, isOfFew, narrowing, Params, piecesOf, revenueMeasure } from './figures.queries';
import type { PricedSelection } from './selection';

export interface PartnerQuestion extends Pick<
  PartnerFilter,
  'search' | 'fraudOnly' | 'sort' | 'order'
> {
  selection: PricedSelection;
  span: Span;
  /** Leaves out partners that nothing was counted of. */
  onlyActive?: boolean;
}

const sortColumns: Record<PartnerSortKey, string> = {
  attributedRevenue: 'revenue',
  conversions: 'conversions',
  clicks: 'clicks',
  conversionRate: 'rate',
  fraudFlagCount: 'flags',
};

/**
 * Rows (participant_id, measure, value) whose sums are the figures, kept ones and those that are not
 * folded yet, of one snapshot.
 */
function figureRows(params: Params, { selection, span }: PartnerQuestion, revenue: string): string {
  const programs = `${params.add(selection.programIds)}::uuid[]`;
  const measures = `${params.add(['clicks', 'conversions', 'renewals', 'fraud_flags', revenue])}::text[]`;
  const condition = narrowing(params, selection);
  const kept = piecesOf(span).map(
    ({ minutes, since, before }) => `
      SELECT participant_id, measure, value FROM analytics_rollups
       WHERE program_id = ANY (${programs}) AND measure = ANY (${measures}) AND minutes = ${minutes}
         AND start >= ${params.add(since)} AND start < ${params.add(before)}${condition}`,
  );
  const unfolded = `
      SELECT participant_id, measure, value FROM analytics_unfolded(${programs})
       WHERE start >= ${params.add(span.since)} AND start < ${params.add(span.before)}
         AND measure = ANY (${measures})${condition}`;
  return [...kept, unfolded].join(' UNION ALL ');
}

/**
 * One row for each participant, with its figures; `ranked` is in no order. A link or a code belongs
 * to few participants: the others are left out then.
 */
function rankedPartners(params: Params, question: PartnerQuestion): string {
  const { selection } = question;
  const revenue = revenueMeasure(selection.currency);
  const sum = (measure: string): string =>
    `coalesce(sum(value) FILTER (WHERE measure = ${measure}), 0)::bigint`;
  const isOfSome = isOfFew(selection) || selection.participantIds !== undefined;
  const join = isOfSome || question.onlyActive ? 'JOIN' : 'LEFT JOIN';
  return `figure AS MATERIALIZED (
      SELECT participant_id, ${sum("'clicks'")} AS clicks, ${sum("'conversions'")} AS conversions,
             ${sum("'renewals'")} AS renewals, ${sum("'fraud_flags'")} AS flags, ${sum(params.add(revenue))} AS revenue
        FROM (${figureRows(params, question, revenue)}) AS row GROUP BY participant_id
    ), ranked AS (
      SELECT p.id, p.partner_name, coalesce(f.revenue, 0) AS revenue,
             coalesce(f.conversions, 0) AS conversions, coalesce(f.clicks, 0) AS clicks,
             coalesce(trim_scale(round((f.conversions - f.renewals)::numeric
                                       / nullif(f.clicks, 0), 4)), 0) AS rate,
             coalesce(f.flags, 0) AS flags
        FROM participants AS p ${join} figure AS f ON f.participant_id = p.id
       WHERE ${conditionsOf(params, question).join(' AND ')}
    )`;
}

function conditionsOf(
  params: Params,
  { selection, search, fraudOnly, onlyActive }: PartnerQuestion,
): string[] {
  const { scope, groupId } = selection;
  const { workspaceId, mode } = scope;
  return [
    `p.workspace_id = ${params.add(workspaceId)} AND p.mode = ${params.add(mode)}`,
    `p.program_id = ANY (${params.add(selection.programIds)}::uuid[])`,
    ...(groupId === undefined ? [] : [inGroup('p', params.add(groupId))]),
    ...(search ? [`p.partner_name ILIKE ${params.add(literalPattern(search))}`] : []),
    ...(fraudOnly === true ? ['f.flags > 0'] : []),
    ...(onlyActive ? ['(f.clicks, f.conversions, f.flags, f.revenue) <> (0, 0, 0, 0)'] : []),
  ];
}

function orderOf({ sort, order }: PartnerQuestion): Order {
  return { by: [sortColumns[sort], 'id'], direction: order === 'asc' ? 'ASC' : 'DESC' };
}

/** A window of the partners, and how many there are in all. */
export async function listPartners(
  db: Db,
  question: PartnerQuestion,
  window: Window,
): Promise<Found<PartnerFiguresDto>> {
  const known = new Params();
  const ranked = rankedPartners(known, question);
  const order = orderOf(question);
  const { text, params } = windowStatement(
    { columns: 'ranked.*', from: 'ranked', where: 'true', params: known.values, order },
    window,
  );
  const found = await query<Placed<PartnerFiguresDto> & { total: number }>(
    db,
    `WITH ${ranked}, page AS (${text})
     SELECT all_rows.total, page.id AS "participantId", page.partner_name AS "partnerName",
            page.revenue AS "attributedRevenueCents", page.conversions, page.clicks,
            page.rate::float8 AS "conversionRate", page.flags AS "fraudFlagCount", page.place
       FROM (SELECT count(*) AS total FROM ranked) AS all_rows LEFT JOIN page ON true
      ${orderedBy(order)}`,
    params,
  );
  const total = found[0]?.total ?? 0;
  const rows = found
    .filter((row) => (row.participantId as string | null) !== null)
    .map(({ total: _, ...row }) => row);
  return foundIn<PartnerFiguresDto>(rows, window, total);
}

export const partnerColumns: readonly string[] = [
  ...fieldsOf(PartnerFiguresDto).keys(),
  'currency',
];

/** The rows of the export, as text made by the server. */
export function exportStatement(question: PartnerQuestion): { text: string; params: unknown[] } {
  const params = new Params();
  const text = `WITH ${rankedPartners(params, question)}
    SELECT id::text, partner_name, revenue::text, conversions::text, clicks::text, rate::text,
           flags::text, ${params.add(question.selection.currency)}::text
      FROM ranked ${orderedBy(orderOf(question))}`;
  return { text, params: params.values };
}
