import type { ReactNode } from 'react';
import type { Participant, ReceiptDto } from '../../session/records';
import { useAnswer, useMay } from '../../session/use-session';
import { partners as words } from '../../text/en/app/partners';
import { formatCount } from '../../ui/format';
import { Loaded, Section } from '../../ui/page';
import { Facts, When } from '../../ui/values';

/** The progress of a partner's erasure; asked again until every copy is clean. */
export function Erasure({ of: { id, erasedAt } }: { of: Participant }) {
  const may = useMay('admin');
  const receipts = useAnswer(
    'erasure.listReceipts',
    may && { participantId: id, limit: 1 },
    (found) => (found?.data[0]?.completedAt ? false : 2_000),
  );
  const since = [words.erasedSince, <When key="since" at={erasedAt} />] as const;
  return (
    <Section title={words.erasure}>
      {may ? (
        <Loaded query={receipts}>
          {({ data: [receipt] }) => <Progress of={receipt} since={since} />}
        </Loaded>
      ) : (
        <Facts of={[since]} />
      )}
    </Section>
  );
}

interface ProgressProps {
  of: ReceiptDto | undefined;
  since: readonly [string, ReactNode];
}

function Progress({ of, since }: ProgressProps) {
  const rows = (of?.changes ?? []).reduce((sum, { rows: changed }) => sum + changed, 0);
  const changed = [words.rowsChanged, formatCount(rows)] as const;
  if (of?.completedAt) {
    return <Facts of={[since, [words.cleaned, <When key="at" at={of.completedAt} />], changed]} />;
  }
  return (
    <>
      <progress aria-label={words.erasure} />
      <p role="status">{words.cleaning}</p>
      <Facts of={[since, changed]} />
    </>
  );
}
