import { Link } from '@tanstack/react-router';
import type { PartnerCommissionDto } from '../../session/records';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Loaded, Page } from '../../ui/page';
import { Filter, Pager, SearchBox, Table, useListSearch, type Paged } from '../../ui/table';
import { OwnPrograms } from '../own-programs';
import { Badge, Money, When } from '../../ui/values';

const words = text.portal.earnings;
const statuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;

export default function EarningsPage() {
  const { search, asked } = useListSearch();
  const list = useApi<Paged<PartnerCommissionDto>>('/api/v1/partner/commissions', {
    ...asked,
    programId: search['program'],
  });
  return (
    <Page title={text.portal.nav.earnings}>
      <div className="filters">
        <SearchBox />
        <Filter
          name="status"
          label={text.status}
          options={statuses.map((one) => [one, text.statuses[one]] as const)}
        />
        <OwnPrograms />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={text.portal.nav.earnings}
              columns={[
                {
                  title: text.created,
                  sort: 'createdAt',
                  cell: ({ id, createdAt }) => (
                    <Link to={`/earnings/${id}`}>
                      <When at={createdAt} />
                    </Link>
                  ),
                },
                { title: text.program, cell: ({ programName }) => programName },
                {
                  title: text.status,
                  sort: 'status',
                  cell: ({ status }) => <Badge status={status} />,
                },
                { title: words.holdUntil, cell: ({ holdUntil }) => <When at={holdUntil} /> },
                {
                  title: text.amount,
                  sort: 'amountCents',
                  isNumber: true,
                  cell: ({ amountCents, currency }) => (
                    <Money cents={amountCents} currency={currency} />
                  ),
                },
              ]}
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
