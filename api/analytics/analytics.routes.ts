import { bucketsOf, previousSpan, spanOf } from '../../entities/rules/analytics/period';
import { routesOf, type Route } from '../http/contract/route';
import { merchant } from '../http/contract/credential';
import { exportBound, sendExport } from '../http/server/csv';
import { toPage, windowOf } from '../http/contract/pagination';
import { AnalyticsQuery, PartnerFilter, PartnerListQuery, TrendQuery } from './analytics-query.dto';
import { FraudSummaryDto, MetricsDto, PartnerPageDto, TrendDto } from './analytics.dto';
import { fraudSummaryExample, metricsExample, partnersCsvExample } from './analytics.examples';
import { revenueMeasure, sumBuckets } from './figures.queries';
import { countFraudFlags } from './fraud-summary.queries';
import { exportStatement, listPartners, partnerColumns } from './partners.queries';
import { presentBuckets, presentFraudSummary, presentMetrics } from './presenters';
import { selectionOf } from './selection.queries';

const route = routesOf('Analytics');
const base = '/api/v1/analytics';
const errors = ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'] as const;
const common = { auth: merchant('viewer'), errors } as const;

/** Figures of a period of local days, of one programme or of all of the current mode. */
export const analyticsRoutes: Route[] = [
  route.get(
    `${base}/metrics`,
    {
      name: 'getMetrics',
      ...common,
      summary: 'Revenue, clicks and conversions beside the period before',
      description:
        'Conversions and revenue count on the local day of occurred_at, clicks when they were recorded.',
      query: AnalyticsQuery,
      responses: { 200: { type: MetricsDto, example: metricsExample } },
    },
    async (ctx) => {
      const { query } = ctx.input;
      const selection = await selectionOf(ctx, query);
      const buckets = [previousSpan(query), spanOf(query)];
      const sums = await sumBuckets(ctx.db, selection, { buckets, measures: null });
      ctx.body = presentMetrics(sums, selection.currency);
    },
  ),

  route.get(
    `${base}/trend`,
    {
      name: 'getTrend',
      ...common,
      summary: 'One figure by local day or ISO week',
      description:
        'Every bucket of the period is there. Of a week only the days of the period count.',
      query: TrendQuery,
      responses: { 200: { type: TrendDto } },
    },
    async (ctx) => {
      const { query } = ctx.input;
      const selection = await selectionOf(ctx, query);
      const { currency } = selection;
      const { labels, spans } = bucketsOf(query, query.granularity);
      const measure = query.metric === 'revenue' ? revenueMeasure(currency) : query.metric;
      const sums = await sumBuckets(ctx.db, selection, { buckets: spans, measures: [measure] });
      ctx.body = { currency, buckets: presentBuckets(labels, sums) };
    },
  ),

  route.get(
    `${base}/fraud-summary`,
    {
      name: 'getFraudSummary',
      ...common,
      summary: 'Count what the fraud rules found',
      description: 'How often each rule hit in the period, by the days of the conversions.',
      query: AnalyticsQuery,
      responses: { 200: { type: FraudSummaryDto, example: fraudSummaryExample } },
    },
    async (ctx) => {
      const selection = await selectionOf(ctx, ctx.input.query);
      const counts = await countFraudFlags(ctx.db, selection, spanOf(ctx.input.query));
      ctx.body = presentFraudSummary(counts);
    },
  ),

  route.get(
    `${base}/top-partners`,
    {
      name: 'listTopPartners',
      ...common,
      summary: 'The ten partners with most revenue',
      description: 'Partners of whom nothing was counted in the period are left out.',
      query: AnalyticsQuery,
      responses: { 200: { type: PartnerPageDto } },
    },
    async (ctx) => {
      const { query } = ctx.input;
      const selection = await selectionOf(ctx, query);
      const ranking = { sort: 'attributedRevenue', order: 'desc', onlyActive: true } as const;
      const question = { ...ranking, selection, span: spanOf(query) };
      const { rows } = await listPartners(ctx.db, question, { limit: 10 });
      const envelope = { total: rows.length, page: 1, limit: 10, nextCursor: null };
      ctx.body = { currency: selection.currency, data: rows, ...envelope };
    },
  ),

  route.get(
    `${base}/partners`,
    {
      name: 'listPartnerPerformance',
      ...common,
      summary: 'Performance of partners',
      description:
        'Every participant of the programmes, or those whom the link or promo code concerns.',
      query: PartnerListQuery,
      responses: { 200: { type: PartnerPageDto } },
    },
    async (ctx) => {
      const { query } = ctx.input;
      const selection = await selectionOf(ctx, query);
      const question = { ...query, selection, span: spanOf(query) };
      const found = await listPartners(ctx.db, question, windowOf(query));
      ctx.body = { currency: selection.currency, ...toPage(ctx, found, (row) => row) };
    },
  ),

  route.get(
    `${base}/partners/export`,
    {
      name: 'exportPartnerPerformance',
      ...common,
      summary: 'Export the performance of partners as CSV',
      description: `Columns, filters and sort of the list, without pages. ${exportBound}`,
      query: PartnerFilter,
      responses: {
        200: {
          contentType: 'text/csv',
          description: 'A CSV file (RFC 4180, UTF-8, with a header row).',
          example: partnersCsvExample,
        },
      },
    },
    async (ctx) => {
      const { query } = ctx.input;
      const selection = await selectionOf(ctx, query);
      const question = { ...query, selection, span: spanOf(query) };
      const file = { name: 'partner-performance.csv', columns: partnerColumns };
      await sendExport(ctx, { ...file, action: 'partners.exported' }, () => ({
        page: () => exportStatement(question),
        isWhole: true,
      }));
    },
  ),
];
