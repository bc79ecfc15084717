import type { Tracking } from '../../session/records';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Section } from '../../ui/page';
import { Another } from './another';
import { BillerEvents } from './biller-events';
import { Connection } from './connection';
import { billers } from './ways';
import { useWhoBills, WhoBills } from './who-bills';

/** Who bills, how they are connected, and what all of them told. */
export function Billing() {
  const tracking = useApi<Tracking>('/api/v1/workspace/tracking').data;
  const chosen = useWhoBills(tracking);
  const connected = tracking?.billers.map(({ biller }) => biller) ?? [];
  return (
    <>
      <Section title={text.app.billing.title}>
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
