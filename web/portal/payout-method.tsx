import { useState } from 'react';
import { PasswordAndCode, proofOf } from '../account/password';
import type { ShownMethodDto } from '../session/records';
import { useAnswer, useChange } from '../session/use-session';
import { text } from '../text/en';
import { payouts as words } from '../text/en/portal/payouts';
import { optionsOf } from '../ui/format';
import { FormButton } from '../ui/ask';
import { DialogButton } from '../ui/dialog';
import { Choice, Field, Form } from '../ui/form';
import { Loaded, Section } from '../ui/page';
import { Facts } from '../ui/values';

/** How the partner is paid, as much of it as may be shown. */
export function Method() {
  const method = useAnswer('partnerAccount.getPayoutMethod');
  const isSet = Boolean(method.data?.method);
  return (
    <Section
      title={words.method}
      actions={
        <>
          <DialogButton
            label={isSet ? words.change : words.say}
            title={words.method}
            className={isSet ? undefined : 'primary'}
          >
            {(close) => <ChangeMethod close={close} />}
          </DialogButton>
          {isSet && <RemoveMethod />}
        </>
      }
    >
      <Loaded query={method}>
        {({ method: now }) => (now ? <Facts of={factsOf(now)} /> : <p>{words.noMethod}</p>)}
      </Loaded>
    </Section>
  );
}

function factsOf({ type, ...shown }: ShownMethodDto) {
  const given = fields[type].filter((name) => shown[name]);
  return [
    [words.kind, words.kinds[type]] as const,
    ...given.map((name) => [words.fields[name], shown[name]] as const),
  ];
}

function RemoveMethod() {
  const remove = useChange('partnerAccount.deletePayoutMethod');
  return (
    <FormButton label={words.remove} send={(typed) => remove.mutateAsync(proofOf(typed))}>
      <p>{words.removeHint}</p>
      <PasswordAndCode />
    </FormButton>
  );
}

type Kind = ShownMethodDto['type'];

type Shown = Omit<ShownMethodDto, 'type'>;

const fields: Record<Kind, readonly (keyof Shown)[]> = {
  paypal: ['email'],
  wise: ['email', 'name'],
  bank: ['holder', 'country', 'iban', 'accountNumber', 'routingNumber', 'bic'],
  other: ['text'],
};

function ChangeMethod({ close }: { close: () => void }) {
  const change = useChange('partnerAccount.putPayoutMethod');
  const [kind, setKind] = useState<Kind>('paypal');
  const submit = async (typed: Record<string, string>): Promise<void> => {
    const given = Object.entries(typed).filter(
      ([name, value]) => fields[kind].includes(name as 'email') && value !== '',
    );
    const method = { type: kind, ...Object.fromEntries(given) };
    await change.mutateAsync({ method, ...proofOf(typed) });
    close();
  };
  return (
    <Form submit={text.save} onSubmit={submit}>
      <Choice
        label={words.kind}
        name="type"
        value={kind}
        onChange={({ target }) => setKind(target.value as Kind)}
        options={optionsOf(['paypal', 'wise', 'bank', 'other'], words.kinds)}
      />
      {fields[kind].map((name) => (
        <Field key={name} label={words.fields[name]} name={name} field={`method.${name}`} />
      ))}
      <PasswordAndCode hint={words.passwordHint} />
    </Form>
  );
}
