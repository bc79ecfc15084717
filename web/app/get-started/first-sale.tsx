import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { getStarted as words } from '../../text/en/app/get-started';
import { sales as salesWords } from '../../text/en/app/sales';
import { formatMoney } from '../../ui/format';
import { Problem } from '../../ui/page';
import type { Participant, Program } from '../../session/records';

/** The amount in minor units of the programme's currency, whichever that is. */
const saleCents = 4_900;

const ownPrefix = 'test-sale-';

/** Whether a sale was made by the button below. */
export const isTestSale = (transactionId: string): boolean => transactionId.startsWith(ownPrefix);

interface TestSaleProps {
  program: Program;
  partner: Participant;
  /** One has been made: another is none of the next steps. */
  isDone: boolean;
}

/** A sale as the merchant's server would report it, credited by the partner's code. */
export function TestSale({ program, partner, isDone }: TestSaleProps) {
  const mode = useMode();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const report = useChange('conversions.report');
  const sale = report.data;
  const addCode = useChange('partners.addPromoCode');
  const may = useMay('member');
  if (mode === 'live') return <p>{words.liveSaleHint}</p>;
  if (!may) return <p>{text.notAllowed}</p>;

  /** A sale is credited by a click or a code: without either the partner gets a code. */
  const codeOf = async (): Promise<string> => {
    const [known] = partner.promoCodes;
    if (known !== undefined) return known;
    const code = `TEST-${partner.id.slice(-6).toUpperCase()}`;
    const { id: participantId, programId } = partner;
    await addCode.mutateAsync({ programId, participantId, code });
    return code;
  };
  const make = async (): Promise<void> => {
    // A second press on the way would make a second code.
    if (busy) return;
    setBusy(true);
    setError(undefined);
    await report.mutateAsync({
      external_transaction_id: ownPrefix + Date.now(),
      event_type: 'purchase',
      amount_cents: saleCents,
      currency: program.currency,
      promo_code: await codeOf(),
    });
  };
  return (
    <>
      <p>{words.testSaleHint(formatMoney(saleCents, program.currency), partner.partnerName)}</p>
      <button
        type="button"
        className={isDone ? undefined : 'primary'}
        disabled={busy}
        onClick={() =>
          void make()
            .catch(setError)
            .finally(() => setBusy(false))
        }
      >
        {words.makeTestSale}
      </button>
      <Problem error={error} />
      {sale && (
        <p role="status">
          {sale.attribution.explanation}{' '}
          {sale.commission ? (
            <Link to={`/commissions/${sale.attribution.program_id}/${sale.commission.id}`}>
              {words.seeCommission}
            </Link>
          ) : (
            <Link to={`/sales/${sale.id}`}>{salesWords.one}</Link>
          )}
        </p>
      )}
    </>
  );
}
