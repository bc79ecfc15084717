import { changeOf, conversionRate } from '../../entities/rules/analytics/figures';
import { fraudRules, furtherFraudRules } from '../../entities/rules/fraud/fraud';
import type {
  FraudSummaryDto,
  MetricsDto,
  PeriodFiguresDto,
  TrendBucketDto,
} from './analytics.dto';
import { revenueMeasure, type BucketSum } from './figures.queries';

/** The sums of the previous span (1) and of the current one (2). */
export function presentMetrics(sums: readonly BucketSum[], currency: string): MetricsDto {
  const previous = periodFigures(sums.filter(({ bucket }) => bucket === 1));
  const current = periodFigures(sums.filter(({ bucket }) => bucket === 2));
  const change = (read: (figures: PeriodFiguresDto) => number): number | null =>
    changeOf(read(current), read(previous));
  const revenueIn = ({ revenue }: PeriodFiguresDto): number =>
    revenue.find((entry) => entry.currency === currency)?.amountCents ?? 0;
  return {
    currency,
    current,
    previous,
    change: {
      revenue: change(revenueIn),
      clicks: change(({ clicks }) => clicks),
      conversions: change(({ conversions }) => conversions),
      conversionRate: change((figures) => figures.conversionRate),
    },
  };
}

function periodFigures(sums: readonly BucketSum[]): PeriodFiguresDto {
  const of = (name: string): number => sums.find(({ measure }) => measure === name)?.value ?? 0;
  const counts = {
    clicks: of('clicks'),
    conversions: of('conversions'),
    newCustomers: of('new_customers'),
    renewals: of('renewals'),
    leads: of('leads'),
  };
  const revenue = sums
    .filter(({ measure, value }) => measure.startsWith(revenueMeasure('')) && value !== 0)
    .map(({ measure, value }) => ({
      currency: measure.slice(revenueMeasure('').length),
      amountCents: value,
    }))
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));
  return { revenue, ...counts, conversionRate: conversionRate(counts) };
}

export function presentFraudSummary(counts: ReadonlyMap<string, number>): FraudSummaryDto {
  const isShown = (rule: string): boolean =>
    counts.has(rule) || !furtherFraudRules.some((further) => further === rule);
  const byRule = fraudRules.filter(isShown).map((rule) => ({ rule, count: counts.get(rule) ?? 0 }));
  return { total: byRule.reduce((sum, { count }) => sum + count, 0), byRule };
}

/** Every bucket by its label, those without a sum as zero. */
export function presentBuckets(
  labels: readonly string[],
  sums: readonly BucketSum[],
): TrendBucketDto[] {
  const values = new Map(sums.map(({ bucket, value }) => [bucket, value]));
  return labels.map((start, index) => ({ start, value: values.get(index + 1) ?? 0 }));
}
