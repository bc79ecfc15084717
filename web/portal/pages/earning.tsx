import { useParams } from '@tanstack/react-router';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { inWords } from '../../ui/format';
import { Loaded, Page, Section } from '../../ui/page';
import { Badge, Facts, Money, When } from '../../ui/values';

const words = text.portal.earnings;

interface Earning {
  id: string;
  programName: string;
  status: string;
  amountCents: number;
  currency: string;
  holdUntil: string | null;
  rejectionReason: string | null;
  createdAt: string;
  history: { to: string; trigger: string; at: string }[];
}

export default function EarningPage() {
  const { commissionId = '' } = useParams({ strict: false }) as Record<string, string>;
  const earning = useApi<Earning>(`/api/v1/partner/commissions/${commissionId}`);
  return (
    <Page title={words.one}>
      <Loaded query={earning}>
        {(one) => (
          <>
            <Facts
              of={[
                [text.program, one.programName],
                [text.status, <Badge key="status" status={one.status} />],
                [
                  text.amount,
                  <Money key="amount" cents={one.amountCents} currency={one.currency} />,
                ],
                [words.holdUntil, <When key="hold" at={one.holdUntil} />],
                [text.reason, one.rejectionReason],
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
          </>
        )}
      </Loaded>
    </Page>
  );
}
