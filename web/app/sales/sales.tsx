import { Link } from '@tanstack/react-router';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { inWords } from '../../ui/format';
import { Loaded, Page } from '../../ui/page';
import {
  DayFilter,
  Filter,
  Pager,
  SearchBox,
  Table,
  useListSearch,
  type Column,
  type Paged,
} from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';
import { Ask } from './ask-sale';
import { TestSaleButton, TryButton } from './try-sale';
import type { Conversion } from '../../session/records';

const words = text.app.sales;

export default function SalesPage() {
  const { search } = useListSearch();
  const list = useApi<Paged<Conversion>>('/api/v1/conversions', {
    page: search.page,
    attributed: search['attributed'],
    event_type: search['event_type'],
    external_transaction_id: search['external_transaction_id'],
    dateFrom: search['dateFrom'],
    dateTo: search['dateTo'],
  });
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Link to="/customers">{text.app.customers.title}</Link>
          <TryButton />
          <TestSaleButton />
        </>
      }
    >
      <Ask />
      <div className="filters">
        <SearchBox name="external_transaction_id" hint={words.id} />
        <SearchBox name="event_type" label={words.kind} />
        <Filter
          name="attributed"
          label={words.credited}
          options={[
            ['true', text.yes],
            ['false', text.no],
          ]}
        />
        <DayFilter name="dateFrom" label={text.from} />
        <DayFilter name="dateTo" label={text.to} />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={words.title}
              columns={columns}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const columns: readonly Column<Conversion>[] = [
  {
    title: words.reported,
    cell: ({ id, created_at }) => (
      <Link to={`/sales/${id}`}>
        <When at={created_at} />
      </Link>
    ),
  },
  {
    title: words.id,
    cell: ({ external_transaction_id }) => <code>{external_transaction_id}</code>,
  },
  { title: words.kind, cell: ({ event_type }) => inWords(event_type) },
  {
    title: words.credited,
    cell: ({ attributed, attribution }) =>
      attributed ? words.credited : inWords(attribution.reason),
  },
  {
    title: words.commission,
    cell: ({ commission }) => (commission ? <Badge status={commission.status} /> : text.nothing),
  },
  {
    title: text.amount,
    isNumber: true,
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
];
