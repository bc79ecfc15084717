import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Fields } from '../../session/operations';
import type { MetricsDto } from '../../session/records';
import { useAnswer } from '../../session/use-session';
import { overview as words } from '../../text/en/app/overview';
import { formatCount, formatShare } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded } from '../../ui/page';
import { Sparkline } from '../../ui/sparkline';
import { sumsOf } from '../../ui/sums';
import { Amounts, type Amount } from '../../ui/values';

type Trend = Fields<'analytics.getTrend'>;
type Lines = Omit<Trend, 'metric' | 'granularity'>;

interface FiguresProps {
  metrics: UseQueryResult<MetricsDto>;
  /** What the lines ask for, but the measure. */
  trend: Lines;
  /** What commissions ask for: the same time as instants. */
  time: Fields<'commissions.stats'>;
}

export function Figures({ metrics, trend, time }: FiguresProps) {
  const made = useAnswer('commissions.stats', time).data?.byStatus;
  const ofAllTime = { programId: time.programId };
  const all = useAnswer('commissions.stats', ofAllTime).data?.byStatus;
  const earned = made && [made.pending, made.approved, made.paid].map(({ amounts }) => amounts);
  return (
    <Loaded query={metrics}>
      {({ currency, current, change }) => (
        <dl className="tiles">
          <Tile
            title={words.measures.revenue}
            change={change.revenue}
            toBefore={
              current.revenue.length > 1 ? words.toBeforeIn(currency.toUpperCase()) : undefined
            }
          >
            <dd>
              <Amounts of={current.revenue} />
            </dd>
            <Line metric="revenue" of={trend} />
          </Tile>
          <Tile title={words.measures.conversions} change={change.conversions}>
            <dd>{formatCount(current.conversions)}</dd>
            <dd className="fine">
              {words.ofSales(formatCount(current.newCustomers), formatCount(current.renewals))}
            </dd>
            <Line metric="conversions" of={trend} />
          </Tile>
          <Tile title={words.measures.clicks} change={change.clicks}>
            <dd>{formatCount(current.clicks)}</dd>
            {current.clicks > 0 && current.conversionRate <= 1 && (
              <dd className="fine">{words.rateOf(formatShare(current.conversionRate))}</dd>
            )}
            <Line metric="clicks" of={trend} />
          </Tile>
          <Tile title={words.earned}>
            <dd>
              <Amounts of={sumsOf(earned?.flat() ?? [])} />
            </dd>
            <dd className="fine">{words.earnedHint}</dd>
          </Tile>
          <Tile title={words.owed}>
            <dd>
              <FilteredLink to="/commissions" search={{ status: 'approved' }}>
                <Amounts of={owedOf(all?.approved.amounts ?? [], sumsOf(earned?.flat() ?? []))} />
              </FilteredLink>
            </dd>
            <dd className="fine">{words.owedHint}</dd>
          </Tile>
        </dl>
      )}
    </Loaded>
  );
}

/** What is owed; nothing in the currency that was earned in, rather than a dash. */
const owedOf = (owed: readonly Amount[], earned: readonly Amount[]): readonly Amount[] =>
  owed.length > 0 ? owed : earned.slice(0, 1).map((one) => ({ ...one, amountCents: 0 }));

interface TileProps {
  title: string;
  /** The change against the time before; null where there was nothing to compare with. */
  change?: number | null;
  /** To what, where that is less than all that is shown. */
  toBefore?: string | undefined;
  children: ReactNode;
}

function Tile({ title, change, toBefore = words.toBefore, children }: TileProps) {
  return (
    <div>
      <dt>{title}</dt>
      {children}
      {typeof change === 'number' && <dd className="fine">{changeInWords(change, toBefore)}</dd>}
    </div>
  );
}

function changeInWords(change: number, toBefore: string): ReactNode {
  const className = change > 0 ? 'up' : change < 0 ? 'down' : undefined;
  return (
    <>
      <span
        className={className}
      >{`${change > 0 ? '+' : ''}${formatShare(Math.round(change * 1000) / 1000)}`}</span>{' '}
      {toBefore}
    </>
  );
}

function Line({ metric, of }: { metric: Trend['metric']; of: Lines }) {
  const trend = useAnswer('analytics.getTrend', { ...of, metric, granularity: 'day' });
  const values = trend.data?.buckets.map(({ value }) => value) ?? [];
  return (
    <dd>
      <Sparkline values={values} />
    </dd>
  );
}
