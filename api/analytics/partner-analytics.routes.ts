import { AppError } from '../../entities/errors';
import { bucketsOf, previousSpan, spanOf } from '../../entities/rules/analytics/period';
import { promoCodeKey } from '../../entities/rules/partners/referral-code';
import { query, type Db } from '../../entities/database/sql';
import type { Mode } from '../../entities/rules/values/mode';
import { contract } from '../http/contract/contract';
import { partner } from '../http/contract/credential';
import { route, type Route } from '../http/contract/route';
import { PartnerAnalyticsQuery, PartnerTrendQuery } from './analytics-query.dto';
import { MetricsDto, TrendDto } from './analytics.dto';
import { metricsExample, trendExample } from './analytics.examples';
import { leadingCurrency, revenueMeasure, sumBuckets } from './figures.queries';
import { presentBuckets, presentMetrics } from './presenters';
import type { Selection } from './selection';
import { checkQuery } from './selection.queries';

const base = '/api/v1/partner/analytics';
const errors = ['PROGRAM_NOT_FOUND', 'AMOUNT_TOO_LARGE'] as const;
const common = { tag: 'Partner portal', auth: partner(), errors } as const;
const fallbackCurrency = 'usd';

/** A partner's own figures of a period of local days, over all programmes of the mode or in one. */
export const partnerAnalyticsRoutes: Route[] = [
  route.get(
    'getPartnerMetrics',
    `${base}/metrics`,
    contract(
      {
        ...common,
        summary: 'Your revenue, clicks and conversions beside the period before',
        query: PartnerAnalyticsQuery,
        responses: { 200: { type: MetricsDto, example: metricsExample } },
      },
      async (ctx) => {
        const asked = ctx.input.query;
        const { selection, currency } = await ownSelection(ctx, asked);
        const buckets = [previousSpan(asked), spanOf(asked)];
        const sums = await sumBuckets(ctx.db, selection, { buckets, measures: null });
        ctx.body = presentMetrics(sums, currency);
      },
    ),
  ),

  route.get(
    'getPartnerTrend',
    `${base}/trend`,
    contract(
      {
        ...common,
        summary: 'One of your figures by local day or ISO week',
        query: PartnerTrendQuery,
        responses: { 200: { type: TrendDto, example: trendExample } },
      },
      async (ctx) => {
        const asked = ctx.input.query;
        const { selection, currency } = await ownSelection(ctx, asked);
        const { labels, spans } = bucketsOf(asked, asked.granularity);
        const measure = asked.metric === 'revenue' ? revenueMeasure(currency) : asked.metric;
        const sums = await sumBuckets(ctx.db, selection, { buckets: spans, measures: [measure] });
        ctx.body = { currency, buckets: presentBuckets(labels, sums) };
      },
    ),
  ),
];

interface PartnerContext {
  db: Db;
  mode: Mode;
  principal: { accountId: string };
}

interface OwnParticipation {
  id: string;
  programId: string;
  currency: string;
}

/** PROGRAM_NOT_FOUND for a programme that the partner is not in. */
async function ownSelection(
  ctx: PartnerContext,
  asked: PartnerAnalyticsQuery,
): Promise<{ selection: Selection; currency: string }> {
  checkQuery(asked);
  const all = await query<OwnParticipation>(
    ctx.db,
    `SELECT p.id, p.program_id AS "programId", g.currency
       FROM participants AS p JOIN programs AS g ON g.id = p.program_id
      WHERE p.partner_id = $1 AND p.mode = $2 AND p.erased_at IS NULL ORDER BY p.id`,
    [ctx.principal.accountId, ctx.mode],
  );
  const own = asked.programId ? all.filter((one) => one.programId === asked.programId) : all;
  if (asked.programId && own.length === 0) throw new AppError('PROGRAM_NOT_FOUND');
  const selection: Selection = {
    programIds: own.map(({ programId }) => programId),
    participantIds: own.map(({ id }) => id),
    linkId: asked.linkId ?? null,
    promoCode: asked.promoCode === undefined ? null : promoCodeKey(asked.promoCode),
  };
  const currency = asked.currency ?? (await currencyOf(ctx.db, { asked, own, selection }));
  return { selection, currency };
}

/** Of one programme its own; of several the one with most revenue. */
async function currencyOf(
  db: Db,
  question: { asked: PartnerAnalyticsQuery; own: OwnParticipation[]; selection: Selection },
): Promise<string> {
  const { asked, own, selection } = question;
  const [first] = own;
  const usual = first?.currency ?? fallbackCurrency;
  if (asked.programId || own.length === 0) return usual;
  return (await leadingCurrency(db, selection, spanOf(asked))) ?? usual;
}
