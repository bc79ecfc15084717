import { useState } from 'react';
import { useChange, useMay } from '../session/use-session';
import { text } from '../text/en';
import { DialogButton } from '../ui/dialog';
import { parseMoney } from '../ui/format';
import { Field, Form } from '../ui/form';
import { Facts, Money } from '../ui/values';
import { refused } from '../session/refused';
import type { Conversion } from './types';

const words = text.app.sales;

/** What a sale would earn, without recording it. */
export function TryButton() {
  if (!useMay('member')) return null;
  return <DialogButton label={words.tryIt}>{() => <TrySale />}</DialogButton>;
}

function TrySale() {
  const [answer, setAnswer] = useState<Conversion>();
  const change = useChange<Conversion>(setAnswer);
  const submit = ({ amount = '', currency = 'usd', ...signals }: Record<string, string>) => {
    const code = currency.toLowerCase();
    const cents = parseMoney(amount, code);
    if (cents === undefined) throw refused('amount_cents', words.noAmount);
    const body = {
      external_transaction_id: `try-${Date.now()}`,
      event_type: 'purchase',
      amount_cents: cents,
      currency: code,
      ...Object.fromEntries(Object.entries(signals).filter(([, value]) => value !== '')),
    };
    return change.mutateAsync({ path: '/api/v1/attribution/dry-run', method: 'POST', body });
  };
  return (
    <Form submit={words.tryIt} onSubmit={async (values) => submit(values)}>
      {(problem) => (
        <>
          <Field label={words.clickId} name="click_id" problem={problem('click_id')} />
          <Field label={words.promoCode} name="promo_code" problem={problem('promo_code')} />
          <Field label={words.customerId} name="customer_id" problem={problem('customer_id')} />
          <Field
            label={text.amount}
            name="amount"
            inputMode="decimal"
            problem={problem('amount_cents')}
          />
          <Field
            label={words.currency}
            name="currency"
            defaultValue="usd"
            problem={problem('currency')}
          />
          {answer && <Outcome of={answer} />}
        </>
      )}
    </Form>
  );
}

function Outcome({ of: { attributed, attribution, commission } }: { of: Conversion }) {
  return (
    <div role="status" className="outcome">
      <Facts
        of={[
          [words.credited, attributed ? text.yes : text.no],
          [text.reason, attribution.explanation],
          [
            words.commission,
            commission && (
              <Money key="c" cents={commission.amount_cents} currency={commission.currency} />
            ),
          ],
        ]}
      />
    </div>
  );
}
