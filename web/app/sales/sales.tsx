import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { customers as customersWords } from '../../text/en/app/customers';
import { sales as words } from '../../text/en/app/sales';
import { inWords } from '../../ui/format';
import { Page } from '../../ui/page';
import { Chosen, DayFilter, Filter, useFilters, useListSearch } from '../../ui/filters';
import { List, type ColumnOf } from '../../ui/list';
import { Badge, Long, Money, When } from '../../ui/values';
import { Ask } from './ask-sale';
import { CreditedPartner } from './credited-partner';
import { TestSaleButton, TryButton } from './try-sale';
import type { Conversion } from '../../session/records';

export default function SalesPage() {
  const { search } = useListSearch();
  const asked = useFilters('conversions.list');
  const { attributed, event_type, external_transaction_id, dateFrom, dateTo } = asked;
  return (
    <Page
      title={words.title}
      actions={
        <>
          <Link to="/customers">{customersWords.title}</Link>
          <TryButton />
          <TestSaleButton />
        </>
      }
    >
      <div className="filters">
        <Ask />
        <Chosen call="conversions.list" field="external_transaction_id" label={words.id} />
        <Filter
          call="conversions.list"
          field="event_type"
          label={words.kind}
          options={kinds(search['event_type'])}
        />
        <Filter
          call="conversions.list"
          field="attributed"
          label={words.credited}
          options={[
            ['true', text.yes],
            ['false', text.no],
          ]}
        />
        <DayFilter call="conversions.list" field="dateFrom" label={text.from} />
        <DayFilter call="conversions.list" field="dateTo" label={text.to} />
      </div>
      <List
        call="conversions.list"
        fields={{ attributed, event_type, external_transaction_id, dateFrom, dateTo }}
        caption={words.title}
        columns={columnsOf}
        empty={words.empty}
      />
    </Page>
  );
}

/** The kinds that most shops report; a kind of one's own stands in the address alone. */
const usualKinds = ['purchase', 'renewal', 'subscription', 'signup', 'lead'];

const kinds = (chosen: string | undefined) =>
  [...new Set([...usualKinds, ...(chosen ? [chosen] : [])])].map(
    (kind) => [kind, inWords(kind)] as const,
  );

const columnsOf = (rows: readonly Conversion[]): readonly ColumnOf<'conversions.list'>[] => [
  {
    title: words.reported,
    opens: true,
    cell: ({ id, created_at }) => (
      <Link to={`/sales/${id}`}>
        <When at={created_at} />
      </Link>
    ),
  },
  {
    title: words.id,
    cell: ({ external_transaction_id }) => <Long of={external_transaction_id} isCode />,
  },
  { title: words.kind, isSpare: true, cell: ({ event_type }) => inWords(event_type) },
  {
    title: words.credited,
    cell: ({ attributed, attribution: { reason } }) =>
      attributed ? words.credited : inWords(reason),
  },
  { title: text.partner, cell: (sale) => <CreditedPartner of={sale} among={rows} /> },
  {
    title: words.customerId,
    isSpare: true,
    cell: ({ customer_id }) => (customer_id ? <Long of={customer_id} isCode /> : text.nothing),
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
