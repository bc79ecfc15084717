import { AppError } from '../../entities/errors';
import { bucketsOf, previousSpan, spanOf } from '../../entities/rules/analytics/period';
import { query, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import { partner } from '../http/contract/credential';
import { routesOf, type Route } from '../http/contract/route';
import { allPrograms, PartnerAnalyticsQuery, PartnerTrendQuery } from './analytics-query.dto';
import { MetricsDto, TrendDto } from './analytics.dto';
import { metricsExample } from './analytics.examples';
import { revenueMeasure, sumBuckets } from './figures.queries';
import { presentBuckets, presentMetrics } from './presenters';
import type { Selection } from './selection';
import { checkQuery, withCurrency } from './selection.queries';

const route = routesOf('Partner portal');
const base = '/api/v1/partner/analytics';
const errors = ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'] as const;
const common = { auth: partner(), errors } as const;

/** A partner's own figures of a period of local days, over all programmes of the mode or in one. */
export const partnerAnalyticsRoutes: Route[] = [
  route.get(
    `${base}/metrics`,
    {
      name: 'getPartnerMetrics',
      ...common,
      summary: 'Your revenue, clicks and conversions beside the period before',
      description:
        'Of one programme, or of all that you are in, by days of the time zone that you name.',
      query: PartnerAnalyticsQuery,
      responses: { 200: { type: MetricsDto, example: metricsExample } },
    },
    async (ctx) => {
      const asked = ctx.input.query;
      const selection = await ownSelection(ctx, asked);
      const buckets = [previousSpan(asked), spanOf(asked)];
      const sums = await sumBuckets(ctx.db, selection, { buckets, measures: null });
      ctx.body = presentMetrics(sums, selection.currency);
    },
  ),

  route.get(
    `${base}/trend`,
    {
      name: 'getPartnerTrend',
      ...common,
      summary: 'One of your figures by local day or ISO week',
      description: 'Every day or week of the period has its bucket, those without anything too.',
      query: PartnerTrendQuery,
      responses: { 200: { type: TrendDto } },
    },
    async (ctx) => {
      const asked = ctx.input.query;
      const selection = await ownSelection(ctx, asked);
      const { currency } = selection;
      const { labels, spans } = bucketsOf(asked, asked.granularity);
      const measure = asked.metric === 'revenue' ? revenueMeasure(currency) : asked.metric;
      const sums = await sumBuckets(ctx.db, selection, { buckets: spans, measures: [measure] });
      ctx.body = { currency, buckets: presentBuckets(labels, sums) };
    },
  ),
];

interface PartnerContext {
  db: Db;
  mode: Mode;
  principal: { accountId: string };
}

/** PROGRAM_NOT_FOUND for a programme that the partner is not in. */
async function ownSelection(
  ctx: PartnerContext,
  asked: PartnerAnalyticsQuery,
): Promise<Selection & { currency: string }> {
  checkQuery(asked);
  const { programId: named = allPrograms } = asked;
  const programId = named === allPrograms ? null : named;
  const own = await query<{ id: string; programId: string; currency: string }>(
    ctx.db,
    `SELECT p.id, p.program_id AS "programId", g.currency
       FROM participants AS p JOIN programs AS g ON g.id = p.program_id
      WHERE p.partner_id = $1 AND p.mode = $2 AND p.erased_at IS NULL
        AND ($3::uuid IS NULL OR p.program_id = $3) ORDER BY p.id`,
    [ctx.principal.accountId, ctx.mode, programId],
  );
  if (programId && own.length === 0) throw new AppError('PROGRAM_NOT_FOUND');
  const programIds = own.map((one) => one.programId);
  const participantIds = own.map(({ id }) => id);
  const isOne = programId !== null;
  return withCurrency(ctx.db, { asked, programIds, participantIds }, { programs: own, isOne });
}
