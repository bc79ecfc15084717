import { useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { sales as words } from '../../text/en/app/sales';
import { DialogButton } from '../../ui/dialog';
import { parseMoney } from '../../ui/format';
import { Field, Form } from '../../ui/plain-form';
import { Facts, Money } from '../../ui/values';
import { refused } from '../../session/refused';
import type { Conversion } from '../../session/records';
import { useProgram } from '../use-program';

/** What a sale would earn, without recording it. */
export function TryButton() {
  if (!useMay('member')) return null;
  return (
    <DialogButton label={words.tryIt}>
      {() => <SaleForm submit={words.tryIt} call="attribution.dryRun" />}
    </DialogButton>
  );
}

/** A sale of test mode, as the merchant's server would report it. */
export function TestSaleButton() {
  const mode = useMode();
  if (!useMay('member') || mode === 'live') return null;
  return (
    <DialogButton label={words.testSale}>
      {() => <SaleForm submit={words.testSale} call="conversions.report" />}
    </DialogButton>
  );
}

interface FormProps {
  submit: string;
  call: 'attribution.dryRun' | 'conversions.report';
}

function SaleForm({ submit: label, call }: FormProps) {
  const { program } = useProgram();
  const change = useChange(call);
  const submit = ({
    amount = '',
    currency = '',
    kind = '',
    ...signals
  }: Record<string, string>) => {
    const code = currency.trim().toLowerCase();
    const cents = parseMoney(amount, code);
    if (cents === undefined) throw refused('amount_cents', text.noAmount(code));
    return change.mutateAsync({
      external_transaction_id: `test-sale-${Date.now()}`,
      event_type: kind,
      amount_cents: cents,
      currency: code,
      ...Object.fromEntries(Object.entries(signals).filter(([, value]) => value !== '')),
    });
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
      {change.data && <Outcome of={change.data} />}
    </Form>
  );
}

type Sale = Pick<Conversion, 'attributed' | 'attribution' | 'commission'>;

function Outcome({ of: { attributed, attribution, commission } }: { of: Sale }) {
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
