import type { MetricsDto, PartnerFiguresDto } from '../../session/records';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf, formatCount, formatShare, localDay, ownZone } from '../../ui/format';
import { Loaded, Page, Section } from '../../ui/page';
import { Filter, Table, useListSearch } from '../../ui/table';
import { Amounts, Money } from '../../ui/values';
import { Trend } from '../../ui/trend';
import { useProgram } from '../use-program';

const words = text.app.overview;

const spans = ['7', '30', '90'] as const;
const measures = ['conversions', 'clicks', 'revenue'] as const;

export default function OverviewPage() {
  const { all } = useProgram();
  const { search } = useListSearch();
  const days = Number(search['days'] ?? 30);
  const metric = String(search['metric'] ?? 'conversions');
  const asked = {
    from: localDay(days - 1),
    to: localDay(),
    tz: ownZone(),
    programId: String(search['program'] ?? 'all'),
  };
  return (
    <Page title={words.title}>
      <div className="filters">
        <Filter
          name="days"
          usual="30"
          label={words.span}
          options={spans.map((n) => [n, words.days(n)] as const)}
        />
        <Filter
          name="metric"
          usual="conversions"
          label={words.measure}
          options={optionsOf(measures, words.measures)}
        />
        <Filter
          name="program"
          label={text.program}
          options={all.map(({ id, name }) => [id, name] as const)}
        />
      </div>
      <Tiles asked={asked} />
      <Trend
        path="/api/v1/analytics/trend"
        query={{ ...asked, metric, granularity: 'day' }}
        title={words.measures[metric as 'clicks'] ?? metric}
      />
      <Top asked={asked} />
    </Page>
  );
}

type Asked = Record<string, string>;

function Tiles({ asked }: { asked: Asked }) {
  const metrics = useApi<MetricsDto>('/api/v1/analytics/metrics', asked);
  return (
    <Loaded query={metrics}>
      {({ current, change }) => (
        <dl className="tiles">
          <div>
            <dt>{words.measures.revenue}</dt>
            <dd>
              <Amounts of={current.revenue} />
            </dd>
            <dd className="fine">{changed(change.revenue)}</dd>
          </div>
          <div>
            <dt>{words.measures.conversions}</dt>
            <dd>{formatCount(current.conversions)}</dd>
            <dd className="fine">{changed(change.conversions)}</dd>
            <dd className="fine">
              {words.ofSales(formatCount(current.newCustomers), formatCount(current.renewals))}
            </dd>
          </div>
          <div>
            <dt>{words.measures.clicks}</dt>
            <dd>{formatCount(current.clicks)}</dd>
            <dd className="fine">{changed(change.clicks)}</dd>
          </div>
          <div>
            <dt>{words.rate}</dt>
            <dd>{formatShare(current.conversionRate)}</dd>
          </div>
        </dl>
      )}
    </Loaded>
  );
}

const changed = (share: number | null): string =>
  share === null ? words.noBefore : words.before(`${share > 0 ? '+' : ''}${formatShare(share)}`);

function Top({ asked }: { asked: Asked }) {
  const top = useApi<{ currency: string; data: PartnerFiguresDto[] }>(
    '/api/v1/analytics/top-partners',
    asked,
  );
  return (
    <Section title={words.top}>
      <Loaded query={top}>
        {({ currency, data }) => (
          <Table
            caption={words.top}
            columns={[
              { title: text.partner, cell: ({ partnerName }) => partnerName },
              {
                title: words.measures.clicks,
                isNumber: true,
                cell: ({ clicks }) => formatCount(clicks),
              },
              {
                title: words.measures.conversions,
                isNumber: true,
                cell: ({ conversions }) => formatCount(conversions),
              },
              {
                title: words.measures.revenue,
                isNumber: true,
                cell: (row) => <Money cents={row.attributedRevenueCents} currency={currency} />,
              },
            ]}
            rows={data}
            rowKey={({ participantId }) => participantId}
            empty={words.empty}
          />
        )}
      </Loaded>
    </Section>
  );
}
