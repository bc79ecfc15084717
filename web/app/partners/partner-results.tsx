import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../session/use-session';
import { text } from '../../text/en';
import { commissions as commissionsWords } from '../../text/en/app/commissions';
import { customers as customersWords } from '../../text/en/app/customers';
import { overview as overviewWords } from '../../text/en/app/overview';
import { partners as words } from '../../text/en/app/partners';
import { formatCount, localDay, ownZone } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { Trend } from '../../ui/trend';
import { MeasureFilter, useMeasure } from '../overview/measure';
import { Amounts, Badge, Money, When } from '../../ui/values';
import type { Participant } from '../../session/records';

/** How a partner does: the last thirty days beside those before. */
export function Chart({ of: { id, programId } }: { of: Participant }) {
  const metric = useMeasure();
  return (
    <>
      <div className="filters">
        <MeasureFilter />
      </div>
      <Trend
        call="analytics.getTrend"
        fields={{
          ...{ programId, participantId: id, metric, granularity: 'day' },
          ...{ from: localDay(29), to: localDay(), tz: ownZone() },
        }}
        title={overviewWords.measures[metric]}
        isCompared
      />
    </>
  );
}

const few = 5;

/** What was earned last. */
export function LatestCommissions({ of: { id } }: { of: Participant }) {
  const latest = useAnswer('commissions.list', { participantId: id, limit: few });
  return (
    <Section
      title={commissionsWords.title}
      actions={
        <FilteredLink to="/commissions" search={{ participantId: id }}>
          {words.allCommissions}
        </FilteredLink>
      }
    >
      <Loaded query={latest}>
        {({ data }) => (
          <Table
            caption={commissionsWords.title}
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
  const asked = { programId, participantId: id, limit: few };
  const found = useAnswer('customers.listProgram', asked);
  return (
    <Section
      title={customersWords.title}
      actions={
        <span className="fine">{found.data && text.inAll(formatCount(found.data.total))}</span>
      }
    >
      <Loaded query={found}>
        {({ data }) => (
          <Table
            caption={customersWords.title}
            columns={[
              {
                title: customersWords.id,
                cell: ({ customerId }) => (
                  <FilteredLink to="/customers" search={{ customerId, program: programId }}>
                    {customerId}
                  </FilteredLink>
                ),
              },
              { title: customersWords.boundAt, cell: ({ boundAt }) => <When at={boundAt} /> },
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
