import { Link } from '@tanstack/react-router';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { formatCount, localDay, optionsOf, ownZone } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded, Section } from '../../ui/page';
import { Filter, Table, useListSearch, type Paged } from '../../ui/table';
import { Trend } from '../../ui/trend';
import { Amounts, Badge, Money, When } from '../../ui/values';
import type { Commission, Participant, ProgramCustomerDto } from '../../session/records';

const words = text.app.partners;
const measures = ['conversions', 'clicks', 'revenue'] as const;

/** How a partner does: the last thirty days beside those before. */
export function Chart({ of: { id, programId } }: { of: Participant }) {
  const { search } = useListSearch();
  const metric = search['metric'] ?? 'conversions';
  return (
    <>
      <div className="filters">
        <Filter
          name="metric"
          usual="conversions"
          label={text.app.overview.measure}
          options={optionsOf(measures, text.app.overview.measures)}
        />
      </div>
      <Trend
        path="/api/v1/analytics/trend"
        query={{
          ...{ programId, participantId: id, metric, granularity: 'day' },
          ...{ from: localDay(29), to: localDay(), tz: ownZone() },
        }}
        title={text.app.overview.measures[metric as 'clicks'] ?? metric}
        isCompared
      />
    </>
  );
}

const few = 5;

/** What was earned last. */
export function LatestCommissions({ of: { id } }: { of: Participant }) {
  const latest = useApi<Paged<Commission>>('/api/v1/commissions', {
    ...{ participantId: id, limit: few },
  });
  return (
    <Section
      title={text.app.commissions.title}
      actions={
        <FilteredLink to="/commissions" search={{ participantId: id }}>
          {words.allCommissions}
        </FilteredLink>
      }
    >
      <Loaded query={latest}>
        {({ data }) => (
          <Table
            caption={text.app.commissions.title}
            columns={[
              {
                title: text.created,
                cell: (row) => (
                  <Link to={`/commissions/${row.programId}/${row.id}`}>
                    <When at={row.createdAt} />
                  </Link>
                ),
              },
              { title: text.status, cell: ({ status }) => <Badge status={status} /> },
              {
                title: text.amount,
                isNumber: true,
                cell: (row) => <Money cents={row.amountCents} currency={row.currency} />,
              },
            ]}
            rows={data}
            rowKey={(row) => row.id}
            empty={words.noCommissions}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** Whom the partner has brought. */
export function Customers({ of: { id, programId } }: { of: Participant }) {
  const found = useApi<Paged<ProgramCustomerDto>>(`/api/v1/programs/${programId}/customers`, {
    ...{ participantId: id, limit: few },
  });
  return (
    <Section
      title={text.app.customers.title}
      actions={<span className="fine">{found.data && formatCount(found.data.total)}</span>}
    >
      <Loaded query={found}>
        {({ data }) => (
          <Table
            caption={text.app.customers.title}
            columns={[
              {
                title: text.app.customers.id,
                cell: ({ customerId }) => (
                  <FilteredLink to="/customers" search={{ customerId, program: programId }}>
                    {customerId}
                  </FilteredLink>
                ),
              },
              { title: text.app.customers.boundAt, cell: ({ boundAt }) => <When at={boundAt} /> },
              {
                title: words.sales,
                isNumber: true,
                cell: ({ conversions }) => formatCount(conversions),
              },
              {
                title: words.revenue,
                isNumber: true,
                cell: ({ revenue }) => <Amounts of={revenue} />,
              },
            ]}
            rows={data}
            rowKey={(row) => row.id}
            empty={words.noCustomers}
          />
        )}
      </Loaded>
    </Section>
  );
}
