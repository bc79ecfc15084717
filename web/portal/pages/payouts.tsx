import type { PartnerPayoutDto } from '../../session/records';
import { text } from '../../text/en';
import { Page } from '../../ui/page';
import { List } from '../../ui/table';
import { amountColumn, Badge, When } from '../../ui/values';
import { useOwnPrograms } from '../own-programs';
import { Method } from '../payout-method';

const words = text.portal.payouts;

/** A payout may be completed although one's own part came back. */
const shown: Readonly<Record<string, string>> = {
  paid: 'paid',
  failed: 'failed',
  returned: 'returned',
};

export default function PayoutsPage() {
  const programs = useOwnPrograms().data?.data ?? [];
  const nameOf = (id: string): string =>
    programs.find(({ programId }) => programId === id)?.programName ?? text.nothing;
  return (
    <Page title={text.portal.nav.payouts}>
      <Method />
      <List<PartnerPayoutDto>
        path="/api/v1/partner/payouts"
        caption={text.portal.nav.payouts}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: text.program, cell: ({ programId }) => nameOf(programId) },
          {
            title: text.status,
            cell: ({ status, itemStatus }) =>
              itemStatus === 'sending' ? (
                <span className="badge waiting">{words.onItsWay}</span>
              ) : (
                <Badge status={shown[itemStatus] ?? status} />
              ),
          },
          { title: words.ended, cell: ({ completedAt }) => <When at={completedAt} /> },
          {
            title: text.reason,
            cell: ({ reason, claimUntil }) =>
              claimUntil ? (
                <>
                  {words.claim} <When at={claimUntil} />
                </>
              ) : (
                (reason ?? text.nothing)
              ),
          },
          amountColumn,
        ]}
        rowKey={({ id, currency }) => id + currency}
        empty={words.empty}
      />
    </Page>
  );
}
