import { use, useId, useState, type ComponentProps } from 'react';
import { formatMoney, parseMoney } from './format';
import { Field, Refusals, type Labelled } from './plain-form';

export { Choice } from './choice';
export { Area, Field, Form } from './plain-form';
export type { Options } from './select';

interface TicksProps {
  label: string;
  name: string;
  options: readonly string[];
  chosen: readonly string[];
}

/** Ticks of one name: what is ticked arrives joined by commas. */
export function Ticks({ label, name, options, chosen }: TicksProps) {
  const problem = use(Refusals)(name);
  return (
    <fieldset className="ticks">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option}>
          <input
            type="checkbox"
            name={name}
            value={option}
            defaultChecked={chosen.includes(option)}
          />
          {option}
        </label>
      ))}
      {problem && <p className="hint bad">{problem}</p>}
    </fieldset>
  );
}

interface AmountProps extends Omit<Labelled<'input'>, 'defaultValue' | 'onChange'> {
  currency: string;
  /** What it begins with, as a person would type it. */
  defaultValue?: string | undefined;
}

/** An amount of a currency: what was typed is shown back, so that nobody means another sum. */
export function AmountField({ currency, hint, defaultValue = '', ...rest }: AmountProps) {
  const [typed, setTyped] = useState(defaultValue);
  const cents = parseMoney(typed, currency);
  const shown = cents === undefined || typed === defaultValue ? hint : formatMoney(cents, currency);
  return (
    <Field
      {...rest}
      inputMode="decimal"
      value={typed}
      hint={shown}
      onChange={({ target }) => setTyped(target.value)}
    />
  );
}

export function Check({
  label,
  ...input
}: Omit<ComponentProps<'input'>, 'id' | 'type'> & { label: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        <input id={id} type="checkbox" {...input} /> {label}
      </label>
    </div>
  );
}
