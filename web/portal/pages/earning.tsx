import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../session/use-session';
import { text } from '../../text/en';
import { earnings as words } from '../../text/en/portal/earnings';
import { nav as navWords } from '../../text/en/portal/nav';
import { inWords } from '../../ui/format';
import { Loaded, Page, Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { amountColumn, Badge, Facts, Money, When } from '../../ui/values';

export default function EarningPage() {
  const { commissionId = '' } = useParams({ strict: false }) as Record<string, string>;
  const earning = useAnswer('partnerPortal.getCommission', { commissionId });
  return (
    <Page
      title={words.one}
      trail={[['/earnings', navWords.earnings]]}
      beside={earning.data && <Badge status={earning.data.status} />}
    >
      <Loaded query={earning}>
        {(one) => (
          <>
            <Facts
              of={[
                [text.program, one.programName],
                [
                  text.amount,
                  <Money key="amount" cents={one.amountCents} currency={one.currency} />,
                ],
                [
                  words.sale,
                  one.commissionType !== 'adjustment' && one.commissionType !== 'bonus' && (
                    <Money key="sale" cents={one.conversionAmountCents} currency={one.currency} />
                  ),
                ],
                [words.holdUntil, one.holdUntil && <When key="hold" at={one.holdUntil} />],
                [words.bonus, one.commissionType === 'bonus' && one.terms?.name],
                [text.reason, one.rejectionReason ?? one.adjustmentReason],
              ]}
            />
            <Section title={words.history}>
              <ol className="story">
                {one.history.map(({ to, trigger, at }) => (
                  <li key={at + trigger}>
                    <Badge status={to} /> {inWords(trigger)} <When at={at} />
                  </li>
                ))}
              </ol>
            </Section>
            <Section title={words.ledger}>
              <Table
                caption={words.ledger}
                columns={[
                  { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
                  { title: words.entry, cell: ({ type }) => inWords(type) },
                  amountColumn,
                ]}
                rows={one.ledger}
                rowKey={({ id }) => id}
                empty={words.noEntries}
              />
            </Section>
          </>
        )}
      </Loaded>
    </Page>
  );
}
