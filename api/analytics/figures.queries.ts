import type { Span } from '../../entities/rules/analytics/period';
import { query, type Db } from '../../entities/database/sql';
import type { Selection } from './selection';
import { dayMs } from '../../entities/rules/values/duration';

/** Collects the parameters of a statement; gives each one's place. */
export class Params {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}

const revenuePrefix = 'revenue:';

export function revenueMeasure(currency: string): string {
  return revenuePrefix + currency;
}

/** 15, 1440, or 43200 for a UTC month, which is as long as it is. */
interface Piece extends Span {
  minutes: number;
}

type Ends = (at: Date) => { next: Date; last: Date };

const ofDays: Ends = (at) => ({
  next: new Date(Math.ceil(at.getTime() / dayMs) * dayMs),
  last: new Date(Math.floor(at.getTime() / dayMs) * dayMs),
});

const ofMonths: Ends = (at) => {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()];
  const last = new Date(Date.UTC(year, month));
  return { last, next: last < at ? new Date(Date.UTC(year, month + 1)) : last };
};

/** Whole UTC months where there are any, then whole days, and quarters of an hour at both ends. */
export function piecesOf(span: Span): Piece[] {
  return cut(span, { minutes: 43_200, ends: ofMonths }, (outer) =>
    cut(outer, { minutes: 1_440, ends: ofDays }, (rest) => [{ minutes: 15, ...rest }]),
  );
}

function cut(
  span: Span,
  { minutes, ends }: { minutes: number; ends: Ends },
  rest: (span: Span) => Piece[],
): Piece[] {
  const first = ends(span.since).next;
  const end = ends(span.before).last;
  if (first >= end) return span.since < span.before ? rest(span) : [];
  return [
    ...(span.since < first ? rest({ since: span.since, before: first }) : []),
    { minutes, since: first, before: end },
    ...(end < span.before ? rest({ since: end, before: span.before }) : []),
  ];
}

/** True when only a part of each programme is asked for. */
export function isNarrowed(selection: Selection): boolean {
  const { participantIds, groupId } = selection;
  return isOfFew(selection) || participantIds !== undefined || groupId !== undefined;
}

/** A link or a code belongs to few participants. */
export function isOfFew({ linkId, promoCode }: Selection): boolean {
  return linkId !== null || promoCode !== null;
}

/** The condition that a participant is in a group now; `alias` names the participant's row in the query. */
export function inGroup(alias: string, group: string): string {
  return `coalesce(${alias}.group_id, ${alias}.program_id) = ${group}`;
}

export function narrowing(
  params: Params,
  { linkId, promoCode, participantIds, groupId }: Selection,
): string {
  const ofPartners = participantIds
    ? ` AND participant_id = ANY (${params.add(participantIds)}::uuid[])`
    : '';
  const members = (group: string): string =>
    `SELECT p.id FROM participants AS p WHERE ${inGroup('p', group)}`;
  const ofGroup =
    groupId === undefined ? '' : ` AND participant_id IN (${members(params.add(groupId))})`;
  const own = `${ofPartners}${ofGroup}`;
  if (linkId !== null) return `${own} AND link_id = ${params.add(linkId)}`;
  if (promoCode !== null) return `${own} AND promo_code = ${params.add(promoCode)}`;
  return own;
}

export interface BucketSum {
  /** Number of the bucket, from 1. */
  bucket: number;
  measure: string;
  value: number;
}

/**
 * Sums of consecutive buckets by measure: what is kept, and what is not folded into it yet. Both are
 * read by one statement, so from one snapshot: nothing is missed or counted twice. Without measures
 * it is all that the programmes have.
 */
export async function sumBuckets(
  db: Db,
  selection: Selection,
  { buckets, measures }: { buckets: readonly Span[]; measures: readonly string[] | null },
): Promise<BucketSum[]> {
  const params = new Params();
  const programs = `${params.add(selection.programIds)}::uuid[]`;
  const wanted = measures ? `${params.add(measures)}::text[]` : `ARRAY(${knownMeasures(programs)})`;
  const condition = `${measures ? `AND measure = ANY (${wanted})` : ''}${narrowing(params, selection)}`;
  const [bounds, since, before] = [
    params.add(buckets.map((bucket) => bucket.since.toISOString())),
    params.add(buckets[0]?.since),
    params.add(buckets.at(-1)?.before),
  ];
  return query<BucketSum>(
    db,
    `SELECT bucket, measure, sum(value)::bigint AS value FROM (
       SELECT piece.bucket, kept.measure, kept.value FROM ${pieceRows(params, buckets)}
        CROSS JOIN unnest(${wanted}) AS wanted (measure)
        CROSS JOIN LATERAL (
         SELECT wanted.measure, sum(value) AS value
           FROM ${isNarrowed(selection) ? 'analytics_rollups' : 'analytics_totals'} AS t
          WHERE program_id = ANY (${programs}) AND t.measure = wanted.measure
            AND minutes = piece.minutes AND start >= piece.since AND start < piece.before
            ${narrowing(params, selection)}) AS kept
        WHERE kept.value IS NOT NULL
       UNION ALL
       SELECT width_bucket(start, ${bounds}::timestamptz[]), measure, value
         FROM analytics_unfolded(${programs})
        WHERE start >= ${since} AND start < ${before} ${condition}) AS figure
      GROUP BY bucket, measure`,
    params.values,
  );
}

/** The pieces of all buckets, as a FROM item. */
function pieceRows(params: Params, buckets: readonly Span[]): string {
  const pieces = buckets.flatMap((bucket, index) =>
    piecesOf(bucket).map((piece) => ({ ...piece, bucket: index + 1 })),
  );
  const columns = [
    `${params.add(pieces.map(({ bucket }) => bucket))}::int[]`,
    `${params.add(pieces.map(({ minutes }) => minutes))}::int[]`,
    `${params.add(pieces.map(({ since }) => since.toISOString()))}::timestamptz[]`,
    `${params.add(pieces.map(({ before }) => before.toISOString()))}::timestamptz[]`,
  ];
  return `unnest(${columns.join(', ')}) AS piece (bucket, minutes, since, before)`;
}

/** Each step is one look into the index. */
function knownMeasures(programs: string): string {
  return `
    WITH RECURSIVE known (program_id, measure) AS (
      SELECT id, (SELECT min(measure) FROM analytics_totals WHERE program_id = id)
        FROM unnest(${programs}) AS id
      UNION ALL
      SELECT program_id, (SELECT min(t.measure) FROM analytics_totals AS t
                           WHERE t.program_id = known.program_id AND t.measure > known.measure)
        FROM known WHERE measure IS NOT NULL)
    SELECT DISTINCT measure FROM known WHERE measure IS NOT NULL`;
}

/** The one with most revenue in the span; undefined without any. */
export async function leadingCurrency(
  db: Db,
  selection: Selection,
  span: Span,
): Promise<string | undefined> {
  const sums = await sumBuckets(db, selection, { buckets: [span], measures: null });
  const [first] = sums
    .filter(({ measure, value }) => measure.startsWith(revenuePrefix) && value !== 0)
    .sort((a, b) => b.value - a.value || (a.measure < b.measure ? -1 : 1));
  return first?.measure.slice(revenuePrefix.length);
}
