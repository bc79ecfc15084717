import type { Buckets, Span } from '../../entities/rules/analytics/period';
import { query, type Db } from '../../entities/database/sql';
import type { Selection } from './selection.queries';

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

const dayMs = 86_400_000;

interface Piece extends Span {
  minutes: 15 | 1440;
}

/** Whole UTC days where there are any, quarters of an hour at both ends. */
function piecesOf({ since, before }: Span): Piece[] {
  const first = new Date(Math.ceil(since.getTime() / dayMs) * dayMs);
  const end = new Date(Math.floor(before.getTime() / dayMs) * dayMs);
  if (first >= end) return [{ minutes: 15, since, before }];
  const pieces: Piece[] = [
    { minutes: 15, since, before: first },
    { minutes: 1440, since: first, before: end },
    { minutes: 15, since: end, before },
  ];
  return pieces.filter((piece) => piece.since < piece.before);
}

export interface FiguresQuestion {
  selection: Selection;
  /** Consecutive; each is summed from its own whole days and quarters. */
  spans: readonly Span[];
  /** Null: all that are known of the programmes. */
  measures: readonly string[] | null;
  /** One row a participant and more, or sums of programmes. */
  grain: 'participant' | 'program';
  /** Quarters throughout, for buckets that need not begin with a UTC day. */
  onlyQuarters?: boolean;
}

/**
 * Rows (participant_id, measure, start, value) whose sums are the figures: the sums that are kept,
 * and what is not folded into them yet. Both are of one snapshot, so nothing is missed or counted
 * twice.
 */
export function figures(params: Params, question: FiguresQuestion): string {
  const { selection, spans, grain, onlyQuarters } = question;
  const isNarrowed = selection.linkId !== null || selection.promoCode !== null;
  const isTotal = grain === 'program' && !isNarrowed;
  const table = isTotal ? 'analytics_totals' : 'analytics_rollups';
  const programs = `${params.add(selection.programIds)}::uuid[]`;
  const conditions = narrowing(params, selection);
  const measures = question.measures
    ? `${params.add(question.measures)}::text[]`
    : `ARRAY(${knownMeasures(programs)})`;
  const columns = `${isTotal ? 'NULL::uuid' : 'participant_id'} AS participant_id, measure, start, value`;

  const pieces = spans
    .flatMap((span): Piece[] => (onlyQuarters ? [{ minutes: 15, ...span }] : piecesOf(span)))
    .map(
      ({ minutes, since, before }) => `
    SELECT ${columns} FROM ${table}
     WHERE program_id = ANY (${programs}) AND measure = ANY (${measures}) AND minutes = ${minutes}
       AND start >= ${params.add(since)} AND start < ${params.add(before)}${conditions}`,
    );
  const [since, before] = [spans[0]?.since, spans.at(-1)?.before];
  const wanted = question.measures ? `AND measure = ANY (${measures})` : '';
  return [
    ...pieces,
    `SELECT participant_id, measure, start, value FROM analytics_unfolded(${programs})
      WHERE start >= ${params.add(since)} AND start < ${params.add(before)} ${wanted}${conditions}`,
  ].join('\nUNION ALL\n');
}

function narrowing(params: Params, { linkId, promoCode }: Selection): string {
  if (linkId !== null) return ` AND link_id = ${params.add(linkId)}`;
  if (promoCode !== null) return ` AND promo_code = ${params.add(promoCode)}`;
  return '';
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

export interface RevenueSum {
  currency: string;
  amountCents: number;
}

/** Most first; currencies without revenue are left out. */
export async function sumRevenue(db: Db, selection: Selection, span: Span): Promise<RevenueSum[]> {
  const params = new Params();
  const rows = figures(params, { selection, spans: [span], measures: null, grain: 'program' });
  return query<RevenueSum>(
    db,
    `SELECT substr(measure, ${revenuePrefix.length + 1}) AS currency,
            sum(value)::bigint AS "amountCents"
       FROM (${rows}) AS figure WHERE starts_with(measure, '${revenuePrefix}')
      GROUP BY measure HAVING sum(value) <> 0 ORDER BY sum(value) DESC, measure`,
    params.values,
  );
}

export interface PeriodSum {
  /** Number of the span, from 1. */
  period: number;
  measure: string;
  value: number;
}

/** Sums by measure of consecutive spans, in one statement. */
export async function sumPeriods(
  db: Db,
  selection: Selection,
  spans: readonly Span[],
): Promise<PeriodSum[]> {
  const params = new Params();
  const rows = figures(params, { selection, spans, measures: null, grain: 'program' });
  const bounds = params.add(spans.map(({ since }) => since.toISOString()));
  return query<PeriodSum>(
    db,
    `SELECT width_bucket(start, ${bounds}::timestamptz[]) AS period, measure,
            sum(value)::bigint AS value
       FROM (${rows}) AS figure GROUP BY 1, 2`,
    params.values,
  );
}

/** The sum of one measure in each bucket. */
export async function sumBuckets(
  db: Db,
  selection: Selection,
  { buckets: { bounds }, measure }: { buckets: Buckets; measure: string },
): Promise<number[]> {
  const [since, before] = [bounds[0], bounds.at(-1)];
  if (!since || !before) return [];
  const params = new Params();
  const rows = figures(params, {
    selection,
    spans: [{ since, before }],
    measures: [measure],
    grain: 'program',
    onlyQuarters: bounds.some((bound) => bound.getTime() % dayMs !== 0),
  });
  const starts = params.add(bounds.map((bound) => bound.toISOString()));
  const sums = await query<{ bucket: number; value: number }>(
    db,
    `SELECT width_bucket(start, ${starts}::timestamptz[]) AS bucket, sum(value)::bigint AS value
       FROM (${rows}) AS figure GROUP BY 1`,
    params.values,
  );
  const values = bounds.slice(1).map(() => 0);
  for (const { bucket, value } of sums) values[bucket - 1] = value;
  return values;
}
