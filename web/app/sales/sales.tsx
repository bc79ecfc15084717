import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { inWords } from '../../ui/format';
import { Page } from '../../ui/page';
import { List, DayFilter, Filter, SearchBox, useListSearch, type Column } from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';
import { Ask } from './ask-sale';
import { CreditedPartner } from './credited-partner';
import { TestSaleButton, TryButton } from './try-sale';
import type { Conversion } from '../../session/records';

const words = text.app.sales;

export default function SalesPage() {
  const { search, asked } = useListSearch();
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
        <Filter name="event_type" label={words.kind} options={kinds(search['event_type'])} />
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
        columns={columnsOf}
        empty={words.empty}
      />
    </Page>
  );
}

/** Those that most shops report; a kind of one's own stands in the address alone. */
const usualKinds = ['purchase', 'renewal', 'subscription', 'signup', 'lead'];

const kinds = (chosen: string | undefined) =>
  [...new Set([...usualKinds, ...(chosen ? [chosen] : [])])].map(
    (kind) => [kind, inWords(kind)] as const,
  );

const columnsOf = (rows: readonly Conversion[]): readonly Column<Conversion>[] => [
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
    cell: ({ attributed, attribution: { reason } }) =>
      attributed ? words.credited : inWords(reason),
  },
  { title: text.partner, cell: (sale) => <CreditedPartner of={sale} among={rows} /> },
  { title: words.customerId, cell: ({ customer_id }) => customer_id ?? text.nothing },
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
