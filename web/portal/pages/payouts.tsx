import type { PartnerPayoutDto } from '../../session/records';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Loaded, Page } from '../../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';
import { useOwnPrograms } from '../own-programs';
import { Method } from '../payout-method';

const words = text.portal.payouts;

export default function PayoutsPage() {
  const { search } = useListSearch();
  const list = useApi<Paged<PartnerPayoutDto>>('/api/v1/partner/payouts', { page: search.page });
  const programs = useOwnPrograms().data?.data ?? [];
  const nameOf = (id: string): string =>
    programs.find(({ programId }) => programId === id)?.programName ?? text.nothing;
  return (
    <Page title={text.portal.nav.payouts}>
      <Method />
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={text.portal.nav.payouts}
              columns={[
                { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
                { title: text.program, cell: ({ programId }) => nameOf(programId) },
                { title: text.status, cell: ({ status }) => <Badge status={status} /> },
                {
                  title: text.amount,
                  isNumber: true,
                  cell: ({ amountCents, currency }) => (
                    <Money cents={amountCents} currency={currency} />
                  ),
                },
              ]}
              rows={found.data}
              rowKey={({ id, currency }) => id + currency}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
