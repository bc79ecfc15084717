import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { inWords } from '../../ui/format';
import { Page } from '../../ui/page';
import { List, DayFilter, Filter, SearchBox, useListSearch, type Column } from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';
import { Ask } from './ask-sale';
import { TestSaleButton, TryButton } from './try-sale';
import type { Conversion } from '../../session/records';

const words = text.app.sales;

export default function SalesPage() {
  const { asked } = useListSearch();
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
      <List<Conversion>
        path="/api/v1/conversions"
        query={{
          attributed: asked['attributed'],
          event_type: asked['event_type'],
          external_transaction_id: asked['external_transaction_id'],
          dateFrom: asked['dateFrom'],
          dateTo: asked['dateTo'],
        }}
        caption={words.title}
        columns={columns}
        empty={words.empty}
      />
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
