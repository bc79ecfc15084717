import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf, ownZone, startOfDay } from '../../ui/format';
import { Page } from '../../ui/page';
import { DayFilter, Filter, useListSearch } from '../../ui/table';
import { Trend } from '../../ui/trend';
import { useProgram } from '../use-program';
import { Figures } from './figures';
import { rangeOptions, spanOf } from './range';
import { Top } from './top-partners';
import type { MetricsDto } from '../../session/records';

const words = text.app.overview;

const measures = ['conversions', 'clicks', 'revenue'] as const;

/** What came of a time, beside the time before; money in one currency at a time, nothing converted. */
export default function OverviewPage() {
  const { search } = useListSearch();
  const metric = search['metric'] ?? 'conversions';
  const range = search['days'] ?? '30';
  const span = spanOf(range, {
    ...(search['dateFrom'] && { from: search['dateFrom'] }),
    ...(search['dateTo'] && { to: search['dateTo'] }),
  });
  const asked = { ...span, tz: ownZone(), programId: search['program'] ?? 'all' };
  const metrics = useApi<MetricsDto>('/api/v1/analytics/metrics', asked);
  const currencies = metrics.data?.current.revenue.map(({ currency }) => currency) ?? [];
  const currency = search['currency'];
  const inOne = { ...asked, ...(currency && { currency }) };
  return (
    <Page title={words.title}>
      <Filters isCustom={range === 'custom'} currencies={currencies} />
      <Figures
        metrics={metrics}
        trend={inOne}
        time={{
          dateFrom: startOfDay(span.from),
          dateTo: startOfDay(span.to, 1),
          programId: search['program'],
        }}
      />
      <Trend
        path="/api/v1/analytics/trend"
        query={{ ...inOne, metric, granularity: 'day' }}
        title={words.measures[metric as 'clicks'] ?? metric}
        isCompared
      />
      <Top asked={inOne} />
    </Page>
  );
}

function Filters({ isCustom, currencies }: { isCustom: boolean; currencies: readonly string[] }) {
  const { search } = useListSearch();
  const { all } = useProgram();
  const chosen = search['currency'];
  const known = [...new Set([...currencies, ...(chosen ? [chosen] : [])])];
  return (
    <div className="filters">
      <Filter name="days" usual="30" label={words.span} options={rangeOptions} />
      {isCustom && (
        <>
          <DayFilter name="dateFrom" label={text.from} />
          <DayFilter name="dateTo" label={text.to} />
        </>
      )}
      <Filter
        name="metric"
        usual="conversions"
        label={words.measure}
        options={optionsOf(measures, words.measures)}
      />
      {known.length > 1 && (
        <Filter
          name="currency"
          usual=""
          label={words.currency}
          options={[
            ['', words.mostRevenue],
            ...known.map((one) => [one, one.toUpperCase()] as const),
          ]}
        />
      )}
      {all.length > 1 && (
        <Filter
          name="program"
          label={text.program}
          options={all.map(({ id, name }) => [id, name] as const)}
        />
      )}
    </div>
  );
}
