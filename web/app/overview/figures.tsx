import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { CommissionStatsDto, MetricsDto } from '../../session/records';
import type { Query } from '../../session/session';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { formatCount, formatShare } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded } from '../../ui/page';
import { Sparkline } from '../../ui/sparkline';
import { Amounts, type Amount } from '../../ui/values';

const words = text.app.overview;

interface FiguresProps {
  metrics: UseQueryResult<MetricsDto>;
  /** What the lines ask for, but the measure. */
  trend: Query;
  /** What commissions ask for: the same time as instants. */
  time: { dateFrom: string | undefined; dateTo: string | undefined; programId: string | undefined };
}

export function Figures({ metrics, trend, time }: FiguresProps) {
  const made = useApi<CommissionStatsDto>('/api/v1/commissions/stats', time).data?.byStatus;
  const all = useApi<CommissionStatsDto>('/api/v1/commissions/stats', {
    programId: time.programId,
  }).data?.byStatus;
  const earned = made && [made.pending, made.approved, made.paid].map(({ amounts }) => amounts);
  return (
    <Loaded query={metrics}>
      {({ current, change }) => (
        <dl className="tiles">
          <Tile title={words.measures.revenue} change={change.revenue}>
            <dd>
              <Amounts of={current.revenue} />
            </dd>
            <Line metric="revenue" query={trend} />
          </Tile>
          <Tile title={words.measures.conversions} change={change.conversions}>
            <dd>{formatCount(current.conversions)}</dd>
            <dd className="fine">
              {words.ofSales(formatCount(current.newCustomers), formatCount(current.renewals))}
            </dd>
            <Line metric="conversions" query={trend} />
          </Tile>
          <Tile title={words.measures.clicks} change={change.clicks}>
            <dd>{formatCount(current.clicks)}</dd>
            {current.clicks > 0 && current.conversionRate <= 1 && (
              <dd className="fine">{words.rateOf(formatShare(current.conversionRate))}</dd>
            )}
            <Line metric="clicks" query={trend} />
          </Tile>
          <Tile title={words.earned}>
            <dd>
              <Amounts of={together(earned?.flat() ?? [])} />
            </dd>
            <dd className="fine">{words.earnedHint}</dd>
          </Tile>
          <Tile title={words.owed}>
            <dd>
              <FilteredLink to="/commissions" search={{ status: 'approved' }}>
                <Amounts of={all?.approved.amounts ?? []} />
              </FilteredLink>
            </dd>
            <dd className="fine">{words.owedHint}</dd>
          </Tile>
        </dl>
      )}
    </Loaded>
  );
}

interface TileProps {
  title: string;
  /** To the time before; null where there was nothing. */
  change?: number | null;
  children: ReactNode;
}

function Tile({ title, change, children }: TileProps) {
  return (
    <div>
      <dt>{title}</dt>
      {children}
      {change !== undefined && <dd className="fine">{changeInWords(change)}</dd>}
    </div>
  );
}

function changeInWords(change: number | null): ReactNode {
  if (change === null) return words.noBefore;
  const className = change > 0 ? 'up' : change < 0 ? 'down' : undefined;
  return (
    <>
      <span className={className}>{`${change > 0 ? '+' : ''}${formatShare(change)}`}</span>{' '}
      {words.toBefore}
    </>
  );
}

function Line({ metric, query }: { metric: string; query: Query }) {
  const trend = useApi<{ buckets: { value: number }[] }>('/api/v1/analytics/trend', {
    ...query,
    ...{ metric, granularity: 'day' },
  });
  const values = trend.data?.buckets.map(({ value }) => value) ?? [];
  return (
    <dd>
      <Sparkline values={values} />
    </dd>
  );
}

/** Sums by currency. */
function together(amounts: readonly Amount[]): Amount[] {
  const sums = new Map<string, number>();
  for (const { currency, amountCents } of amounts) {
    sums.set(currency, (sums.get(currency) ?? 0) + amountCents);
  }
  return [...sums].map(([currency, amountCents]) => ({ currency, amountCents }));
}
