import { useState } from 'react';
import { countries, hasIban } from '../../entities/rules/payouts/countries';
import { PasswordAndCode, proofOf } from '../account/password';
import type { ShownMethodDto } from '../session/records';
import { useAnswer, useChange } from '../session/use-session';
import { text } from '../text/en';
import { payouts as words } from '../text/en/portal/payouts';
import { optionsOf } from '../ui/format';
import { FormButton } from '../ui/ask';
import { DialogButton } from '../ui/dialog';
import { Combobox } from '../ui/combobox';
import { Choice, Field, Form } from '../ui/form';
import { useListSearch } from '../ui/filters';
import { Loaded, Section } from '../ui/page';
import { Facts } from '../ui/values';

/** How the partner is paid, as much of it as may be shown. */
export function Method() {
  const method = useAnswer('partnerAccount.getPayoutMethod');
  const isSet = Boolean(method.data?.method);
  const isAskedFor = useListSearch().search['say'] === 'how' && method.isSuccess && !isSet;
  return (
    <Section
      title={words.method}
      actions={
        <>
          <DialogButton
            // Whether it opens by itself is known once the method is.
            key={String(method.isSuccess)}
            label={isSet ? words.change : words.say}
            title={words.method}
            className={isSet ? undefined : 'primary'}
            isAskedFor={isAskedFor}
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
    ...given.map((name) => [words.fields[name], saidOf(name, shown[name])] as const),
  ];
}

const saidOf = (name: keyof Shown, value: string | null | undefined) =>
  name === 'country' && value ? (countryNames.of(value) ?? value) : value;

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

/** What is asked for: of a bank's account what one has in its country, once that is chosen. */
function askedOf(kind: Kind, country: string): readonly (keyof Shown)[] {
  if (kind !== 'bank') return fields[kind];
  if (country === '') return ['holder', 'country'];
  const account = hasIban(country)
    ? (['iban'] as const)
    : (['accountNumber', 'routingNumber'] as const);
  return ['holder', 'country', ...account, 'bic'];
}

function hintOf(name: keyof Shown, kind: Kind): string | undefined {
  if (name === 'bic') return words.mayStayEmpty;
  return name === 'email' && (kind === 'paypal' || kind === 'wise')
    ? words.emailOf[kind]
    : undefined;
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });
const countryOptions = countries
  .map((code) => [code, countryNames.of(code) ?? code] as const)
  .toSorted(([, one], [, other]) => one.localeCompare(other));

function ChangeMethod({ close }: { close: () => void }) {
  const change = useChange('partnerAccount.putPayoutMethod');
  const [kind, setKind] = useState<Kind>('paypal');
  const [country, setCountry] = useState('');
  const asked = askedOf(kind, country);
  const submit = async (typed: Record<string, string>): Promise<void> => {
    const given = Object.entries(typed).filter(
      ([name, value]) => asked.includes(name as 'email') && value !== '',
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
      {asked.map((name) =>
        name === 'country' ? (
          <Combobox
            key={name}
            label={words.fields.country}
            name={name}
            field={`method.${name}`}
            options={countryOptions}
            onChange={setCountry}
            hint={country === '' ? words.countryFirst : undefined}
          />
        ) : (
          <Field
            key={name}
            label={words.fields[name]}
            name={name}
            field={`method.${name}`}
            hint={hintOf(name, kind)}
          />
        ),
      )}
      <PasswordAndCode hint={words.passwordHint} />
    </Form>
  );
}
