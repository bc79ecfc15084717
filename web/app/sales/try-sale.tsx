import { useState } from 'react';
import { useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { parseMoney } from '../../ui/format';
import { Field, Form } from '../../ui/plain-form';
import { Facts, Money } from '../../ui/values';
import { refused } from '../../session/refused';
import type { Conversion } from '../../session/records';
import { useProgram } from '../use-program';

const words = text.app.sales;

/** What a sale would earn, without recording it. */
export function TryButton() {
  if (!useMay('member')) return null;
  return (
    <DialogButton label={words.tryIt}>
      {() => <SaleForm submit={words.tryIt} path="/api/v1/attribution/dry-run" />}
    </DialogButton>
  );
}

/** A sale of test mode, as the merchant's server would report it. */
export function TestSaleButton() {
  const mode = useMode();
  if (!useMay('member') || mode === 'live') return null;
  return (
    <DialogButton label={words.testSale}>
      {() => <SaleForm submit={words.testSale} path="/api/v1/conversions" />}
    </DialogButton>
  );
}

function SaleForm({ submit: label, path }: { submit: string; path: string }) {
  const { program } = useProgram();
  const [answer, setAnswer] = useState<Conversion>();
  const change = useChange<Conversion>(setAnswer);
  const submit = ({ amount = '', currency = '', kind, ...signals }: Record<string, string>) => {
    const code = currency.trim().toLowerCase();
    const cents = parseMoney(amount, code);
    if (cents === undefined) throw refused('amount_cents', text.noAmount(code));
    const body = {
      external_transaction_id: `test-sale-${Date.now()}`,
      event_type: kind,
      amount_cents: cents,
      currency: code,
      ...Object.fromEntries(Object.entries(signals).filter(([, value]) => value !== '')),
    };
    return change.mutateAsync({ path, method: 'POST', body });
  };
  return (
    <Form submit={label} onSubmit={async (values) => submit(values)}>
      <Field label={words.clickId} name="click_id" />
      <Field label={words.promoCode} name="promo_code" />
      <Field label={words.customerId} name="customer_id" />
      <Field label={words.kind} name="kind" defaultValue="purchase" field="event_type" />
      <Field label={text.amount} name="amount" inputMode="decimal" field="amount_cents" />
      <Field
        key={program?.currency}
        label={words.currency}
        name="currency"
        defaultValue={program?.currency.toUpperCase() ?? 'USD'}
      />
      {answer && <Outcome of={answer} />}
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
