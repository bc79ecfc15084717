import { useAnswer } from '../../session/use-session';
import { billing as billingWords } from '../../text/en/app/billing';
import { Section } from '../../ui/page';
import { Another } from './another';
import { BillerEvents } from './biller-events';
import { Connection } from './connection';
import { billers } from './ways';
import { useWhoBills, WhoBills } from './who-bills';

/** Who bills, how they are connected, and what all of them told. */
export function Billing() {
  const tracking = useAnswer('workspace.getTracking').data;
  const chosen = useWhoBills(tracking);
  const connected = tracking?.billers.map(({ biller }) => biller) ?? [];
  return (
    <>
      <Section title={billingWords.title}>
        <WhoBills chosen={chosen} />
        {chosen === 'another' ? <Another tracking={tracking} /> : <Connection biller={chosen} />}
      </Section>
      {billers
        .filter((one) => one === chosen || connected.includes(one))
        .map((one) => (
          <BillerEvents key={one} biller={one} />
        ))}
    </>
  );
}
