import { text } from '../../text/en';
import { nav as navWords } from '../../text/en/portal/nav';
import { payouts as words } from '../../text/en/portal/payouts';
import { Page } from '../../ui/page';
import { List } from '../../ui/list';
import { amountColumn, Badge, Long, When } from '../../ui/values';
import { useOwnPrograms } from '../own-programs';
import { Method } from '../payout-method';

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
    <Page title={navWords.payouts}>
      <Method />
      <List
        call="partnerPortal.listPayouts"
        caption={navWords.payouts}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: text.program, cell: ({ programId }) => <Long of={nameOf(programId)} /> },
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
