import { useAnswer } from '../../session/use-session';
import { text } from '../../text/en';
import { overview as words } from '../../text/en/app/overview';
import { ownZone, startOfDay } from '../../ui/format';
import { Page } from '../../ui/page';
import { DayFilter, Filter, PageChoice, useListSearch } from '../../ui/filters';
import { Trend } from '../../ui/trend';
import { useProgram } from '../use-program';
import { Figures } from './figures';
import { MeasureFilter, useMeasure } from './measure';
import { rangeOptions, spanOf } from './range';
import { Top } from './top-partners';

/** What came of a time, beside the time before; money in one currency at a time, nothing converted. */
export default function OverviewPage() {
  const { search } = useListSearch();
  const metric = useMeasure();
  const range = search['days'] ?? '30';
  const span = spanOf(range, {
    ...(search['dateFrom'] && { from: search['dateFrom'] }),
    ...(search['dateTo'] && { to: search['dateTo'] }),
  });
  const asked = { ...span, tz: ownZone(), programId: search['program'] ?? 'all' };
  const metrics = useAnswer('analytics.getMetrics', asked);
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
        call="analytics.getTrend"
        fields={{ ...inOne, metric, granularity: 'day' }}
        title={words.measures[metric]}
        empty={words.nothingYet}
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
      <PageChoice name="days" usual="30" label={words.span} options={rangeOptions} />
      {isCustom && (
        <>
          <DayFilter call="commissions.stats" field="dateFrom" label={text.from} />
          <DayFilter call="commissions.stats" field="dateTo" label={text.to} />
        </>
      )}
      <MeasureFilter />
      {known.length > 1 && (
        <Filter
          call="analytics.getTrend"
          field="currency"
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
          call="analytics.getTrend"
          field="programId"
          name="program"
          label={text.program}
          options={all.map(({ id, name }) => [id, name] as const)}
        />
      )}
    </div>
  );
}
