import { useState } from 'react';
import { FilteredLink } from '../../ui/link';
import type { Payout, PayoutProviderDto, SendPreviewDto } from '../../session/records';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { payouts as payoutsWords } from '../../text/en/app/payouts';
import { DialogButton } from '../../ui/dialog';
import { formatMoney } from '../../ui/format';
import { Field, Form } from '../../ui/plain-form';
import { LookFirst } from './look-first';

const words = payoutsWords.sending;

/** Whether PayPal is connected in this mode; a viewer is not told. */
export function useProvider(): PayoutProviderDto | undefined {
  const may = useMay('admin');
  return useAnswer('payouts.listProviders', may && {}).data?.data[0];
}

/** What PayPal can pay of the payout: a dry run first, then a code. */
export function SendPayout({ of: { id, items } }: { of: Payout }) {
  const provider = useProvider();
  const isOwner = useMay('owner');
  const ready = items.filter(
    ({ status, method }) => status === 'ready' && method?.type === 'paypal',
  );
  if (!provider || ready.length === 0) return null;
  if (provider.status === 'not_connected') {
    return (
      <p className="hint">
        {isOwner ? (
          <FilteredLink to="/settings" search={{ part: 'payouts' }}>
            {words.connectFirst}
          </FilteredLink>
        ) : (
          words.notConnected
        )}
      </p>
    );
  }
  const currencies = [...new Set(ready.map(({ currency }) => currency))];
  return (
    <>
      {currencies.map((currency) => (
        <DialogButton
          key={currency}
          label={currencies.length > 1 ? words.sendIn(currency.toUpperCase()) : words.send}
          title={words.send}
          className="primary"
        >
          {(close) => <DryRun payoutId={id} currency={currency} onSent={close} />}
        </DialogButton>
      ))}
    </>
  );
}

interface DryRunProps {
  payoutId: string;
  currency: string;
  onSent: () => void;
}

function DryRun({ payoutId, currency, onSent }: DryRunProps) {
  const [confirmExported, setConfirm] = useState(false);
  const [seen, setSeen] = useState<SendPreviewDto>();
  const look = useChange('payouts.send', (answer) => {
    if ('amountCents' in answer) setSeen(answer);
  });
  const send = useChange('payouts.send', onSent);
  const choice = {
    ...({ id: payoutId, provider: 'paypal', currency } as const),
    ...(confirmExported && { confirmExported }),
  };
  if (!seen) {
    return (
      <LookFirst
        hint={words.hint}
        choice={words.confirmExported}
        isChosen={confirmExported}
        choose={setConfirm}
        label={words.look}
        look={look}
        onLook={() => look.mutate({ ...choice, dryRun: true })}
      />
    );
  }
  const { items, amountCents, leftOut } = seen;
  const counts = new Map<(typeof leftOut)[number]['why'], number>();
  for (const { why } of leftOut) counts.set(why, (counts.get(why) ?? 0) + 1);
  const told = (
    <ul className="plain">
      {[...counts].map(([why, count]) => (
        <li key={why}>{words.leftOut(count, words.whys[why])}</li>
      ))}
    </ul>
  );
  if (items === 0)
    return (
      <>
        <p>{words.nothing}</p>
        {told}
      </>
    );
  return (
    <Form
      submit={words.confirm}
      onSubmit={({ code }) =>
        send.mutateAsync({ ...choice, expected: { items, amountCents }, code })
      }
    >
      <p>{words.would(items, formatMoney(amountCents, currency))}</p>
      {told}
      <Field label={words.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
    </Form>
  );
}
