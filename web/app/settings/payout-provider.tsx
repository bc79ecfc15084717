import { useState } from 'react';
import type { WorkspaceDto } from '../../session/records';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { settings as settingsWords } from '../../text/en/app/settings';
import { ConfirmButton, FormButton } from '../../ui/ask';
import { chosenOf, formatMoney, parseMoney } from '../../ui/format';
import { AmountField, Choice, Field } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { Badge, Facts } from '../../ui/values';

const words = settingsWords.payoutProvider;

/** Who sends payouts, how much a day, and whether that takes two persons. */
export function PayoutProvider() {
  const may = useMay('admin');
  const isOwner = useMay('owner');
  const providers = useAnswer('payouts.listProviders', may && {});
  const workspace = useAnswer('workspace.get');
  if (!may) return null;
  return (
    <Section title={words.title}>
      <Loaded query={providers}>
        {({ data: [paypal] }) =>
          paypal && (
            <>
              <Facts
                of={[
                  [words.paypal, <Badge key="status" status={paypal.status} />],
                  [words.clientId, paypal.clientId],
                  [words.lastError, paypal.lastError],
                  [words.limits, limitsOf(workspace.data)],
                ]}
              />
              {isOwner && (
                <span className="inline-actions">
                  <Connect of={workspace.data} />
                  <Limits of={workspace.data} />
                  {paypal.status !== 'not_connected' && (
                    <ConfirmButton
                      label={words.disconnect}
                      className="danger"
                      call="payouts.deleteProvider"
                      fields={{ provider: 'paypal' }}
                    >
                      <p>{words.disconnectHint}</p>
                    </ConfirmButton>
                  )}
                </span>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function limitsOf(workspace: WorkspaceDto | undefined): string {
  const limits = workspace?.payoutDailyLimits ?? [];
  const shown = limits.map(({ currency, amountCents }) => formatMoney(amountCents, currency));
  return shown.length === 0 ? words.noLimit : shown.join(', ');
}

/** Each code counts once, so that the limit of the same form is set before the credential is. */
function Connect({ of }: { of: WorkspaceDto | undefined }) {
  const connect = useChange('payouts.putProvider');
  const update = useChange('workspace.update');
  const needsLimit = of?.payoutDailyLimits?.length === 0;
  const [currency, setCurrency] = useState('usd');
  const submit = async (values: Record<string, string>): Promise<void> => {
    const { clientId = '', clientSecret = '', code = '', limit, limitCode } = values;
    await connect.mutateAsync({ provider: 'paypal', clientId, clientSecret, code });
    const amountCents = parseMoney(limit ?? '', currency);
    if (!needsLimit || amountCents === undefined) return;
    const payoutDailyLimits = [{ currency, amountCents }];
    await update.mutateAsync({ payoutDailyLimits, code: limitCode });
  };
  return (
    <FormButton label={words.connect} className="primary" send={submit}>
      <p>{words.connectHint}</p>
      <Field label={words.clientId} name="clientId" />
      <Field label={words.clientSecret} name="clientSecret" type="password" autoComplete="off" />
      <Field label={words.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
      {needsLimit && (
        <>
          <Field
            label={words.currency}
            name="currency"
            value={currency}
            maxLength={3}
            onChange={({ target }) => setCurrency(target.value.toLowerCase())}
          />
          <AmountField
            label={words.firstLimit}
            name="limit"
            currency={currency}
            hint={words.limitHint}
          />
          <Field
            label={words.nextCode}
            name="limitCode"
            inputMode="numeric"
            hint={words.nextCodeHint}
          />
        </>
      )}
    </FormButton>
  );
}

const approvals = ['one', 'two'] as const;

/** One currency a time: what is set of others stays. */
function Limits({ of }: { of: WorkspaceDto | undefined }) {
  const update = useChange('workspace.update');
  const [currency, setCurrency] = useState('usd');
  const submit = async ({ limit, approval, code }: Record<string, string>): Promise<void> => {
    const amountCents = parseMoney(limit ?? '', currency);
    const others = (of?.payoutDailyLimits ?? []).filter((one) => one.currency !== currency);
    const payoutDailyLimits =
      amountCents === undefined ? undefined : [...others, { currency, amountCents }];
    const payoutApproval = chosenOf(approvals, approval);
    await update.mutateAsync({ payoutDailyLimits, payoutApproval, code });
  };
  return (
    <FormButton label={words.limits} send={submit}>
      <Field
        label={words.currency}
        name="currency"
        value={currency}
        maxLength={3}
        onChange={({ target }) => setCurrency(target.value.toLowerCase())}
      />
      <AmountField label={words.limit} name="limit" currency={currency} hint={words.limitHint} />
      <Choice
        label={words.approval}
        name="approval"
        defaultValue={of?.payoutApproval ?? 'one'}
        options={approvals.map((one) => [one, words[one]] as const)}
      />
      <Field label={words.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
    </FormButton>
  );
}
