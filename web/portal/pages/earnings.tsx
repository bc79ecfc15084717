import { Link } from '@tanstack/react-router';
import { text } from '../../text/en';
import { earnings as words } from '../../text/en/portal/earnings';
import { nav as navWords } from '../../text/en/portal/nav';
import { optionsOf } from '../../ui/format';
import { Page } from '../../ui/page';
import { Filter, SearchBox, useFilters, useListSearch } from '../../ui/filters';
import { List } from '../../ui/list';
import { paidWhen, saleOf } from '../earned';
import { OwnPrograms } from '../own-programs';
import { Badge, Long, Money, When } from '../../ui/values';

const statuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;

export default function EarningsPage() {
  const { search } = useListSearch();
  const asked = useFilters('partnerPortal.listCommissions');
  return (
    <Page title={navWords.earnings}>
      <div className="filters">
        <SearchBox call="partnerPortal.listCommissions" field="search" />
        <Filter
          call="partnerPortal.listCommissions"
          field="status"
          label={text.status}
          options={optionsOf(statuses, text.statuses)}
        />
        <OwnPrograms />
      </div>
      <List
        call="partnerPortal.listCommissions"
        fields={{ ...asked, programId: search['program'] }}
        filters={['search', 'status', 'program']}
        caption={navWords.earnings}
        columns={[
          {
            title: text.created,
            opens: true,
            sort: 'createdAt',
            cell: ({ id, createdAt }) => (
              <Link to={`/earnings/${id}`}>
                <When at={createdAt} />
              </Link>
            ),
          },
          { title: text.program, cell: ({ programName }) => <Long of={programName} /> },
          {
            title: text.status,
            sort: 'status',
            cell: ({ status }) => <Badge status={status} />,
          },
          {
            title: words.sale,
            isNumber: true,
            cell: (row) => saleOf(row),
          },
          { title: words.paidWhen, cell: (row) => paidWhen(row) },
          {
            title: text.amount,
            sort: 'amountCents',
            isNumber: true,
            cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
          },
        ]}
        empty={words.empty}
      />
    </Page>
  );
}
