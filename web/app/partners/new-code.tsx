import { useState } from 'react';
import { refused } from '../../session/refused';
import { useChange } from '../../session/use-session';
import type { Fields } from '../../session/operations';
import type { DiscountBody } from '../../session/records';
import { text } from '../../text/en';
import { partners as words } from '../../text/en/app/partners';
import { FormButton } from '../../ui/ask';
import { parseMoney, parsePercent } from '../../ui/format';
import { AmountField, Choice, Field } from '../../ui/form';

type TakesOff = keyof typeof words.takenOff;
type HowLong = keyof typeof words.howLongs;

interface NewCodeProps {
  of: Fields<'partners.get'>;
  currency: string;
}

/** A code, and what it takes off where people pay. */
export function NewCode({ of, currency }: NewCodeProps) {
  const change = useChange('partners.addPromoCode');
  return (
    <FormButton
      label={words.addCode}
      send={(typed) => {
        const discount = discountOf(typed, currency);
        const { code = '' } = typed;
        return change.mutateAsync({ ...of, code, ...(discount && { discount }) });
      }}
    >
      <Field label={words.code} name="code" autoComplete="off" />
      <Discount currency={currency} />
    </FormButton>
  );
}

function Discount({ currency }: { currency: string }) {
  const [takesOff, setTakesOff] = useState<TakesOff>('nothing');
  const [howLong, setHowLong] = useState<HowLong>('once');
  return (
    <>
      <Choice
        label={words.takesOff}
        name="takesOff"
        value={takesOff}
        onChange={({ target }) => setTakesOff(target.value as TakesOff)}
        options={Object.entries(words.takenOff)}
        hint={words.takesOffHint}
      />
      {takesOff === 'percent' && (
        <Field
          label={words.percentOff}
          name="off"
          inputMode="decimal"
          field="discount.percentOffBps"
        />
      )}
      {takesOff === 'amount' && (
        <AmountField
          label={words.amountOff}
          name="off"
          currency={currency}
          field="discount.amountOffCents"
        />
      )}
      {takesOff !== 'nothing' && (
        <Choice
          label={words.howLong}
          name="howLong"
          value={howLong}
          onChange={({ target }) => setHowLong(target.value as HowLong)}
          options={Object.entries(words.howLongs)}
          hint={words.howLongHint}
        />
      )}
      {takesOff !== 'nothing' && howLong === 'months' && (
        <Field
          label={words.discountMonths}
          name="months"
          type="number"
          min={1}
          max={36}
          defaultValue={3}
          field="discount.months"
        />
      )}
    </>
  );
}

function discountOf(typed: Record<string, string>, currency: string): DiscountBody | undefined {
  const { takesOff, off = '' } = typed;
  const months = monthsOf(typed);
  if (takesOff === 'percent') {
    const percentOffBps = parsePercent(off);
    if (percentOffBps === undefined) throw refused('discount.percentOffBps', text.noPercent);
    return { percentOffBps, months };
  }
  if (takesOff !== 'amount') return undefined;
  const amountOffCents = parseMoney(off, currency);
  if (amountOffCents === undefined) {
    throw refused('discount.amountOffCents', text.noAmount(currency));
  }
  return { amountOffCents, currency, months };
}

function monthsOf({ howLong, months }: Record<string, string>): number | null {
  if (howLong === 'once') return null;
  return howLong === 'always' ? 0 : Number(months);
}
