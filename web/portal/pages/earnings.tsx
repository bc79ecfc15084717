import { Link } from '@tanstack/react-router';
import type { PartnerCommissionDto } from '../../session/records';
import { text } from '../../text/en';
import { optionsOf } from '../../ui/format';
import { Page } from '../../ui/page';
import { List, Filter, SearchBox, useListSearch } from '../../ui/table';
import { OwnPrograms } from '../own-programs';
import { Badge, Money, When } from '../../ui/values';

const words = text.portal.earnings;
const statuses = ['pending', 'approved', 'rejected', 'paid', 'refunded'] as const;

export default function EarningsPage() {
  const { search, asked } = useListSearch();
  return (
    <Page title={text.portal.nav.earnings}>
      <div className="filters">
        <SearchBox />
        <Filter name="status" label={text.status} options={optionsOf(statuses, text.statuses)} />
        <OwnPrograms />
      </div>
      <List<PartnerCommissionDto>
        path="/api/v1/partner/commissions"
        query={{ ...asked, programId: search['program'] }}
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
            cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
          },
        ]}
        empty={words.empty}
      />
    </Page>
  );
}
