import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import type { PartnerCommissionDto } from '../../session/records';
import { text } from '../../text/en';
import { formatDay, optionsOf } from '../../ui/format';
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
          {
            title: words.sale,
            isNumber: true,
            cell: ({ commissionType, conversionAmountCents, currency }) =>
              commissionType === 'adjustment' || commissionType === 'bonus' ? (
                words[commissionType]
              ) : (
                <Money cents={conversionAmountCents} currency={currency} />
              ),
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

/** When the money comes, as far as it can be known. */
function paidWhen(row: PartnerCommissionDto): ReactNode {
  const { status, paidAt, payoutId, holdActive, holdUntil } = row;
  if (status === 'paid') return <When at={paidAt} />;
  if (status === 'approved') return payoutId ? words.inPayout : words.nextPayout;
  if (status !== 'pending') return row.rejectionReason ?? text.nothing;
  return holdActive && holdUntil ? words.heldUntil(formatDay(holdUntil)) : words.waits;
}
