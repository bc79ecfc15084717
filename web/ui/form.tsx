import {
  createContext,
  use,
  useId,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from 'react';
import { ApiError } from '../session/api-error';
import { formatMoney, parseMoney } from './format';
import { Problem } from './page';

interface FormProps {
  /** Text of the fields by name. An ApiError that it throws stands at the fields it names. */
  onSubmit: (values: Record<string, string>) => Promise<unknown>;
  submit: string;
  /** Beside the button that submits. */
  beside?: ReactNode;
  /** What the API names its fields by, such as `rules[0].`. */
  within?: string;
  children: ReactNode;
}

/** What the API says of a field of the form around it, by the field's name. */
const Refusals = createContext<(field: string) => string | undefined>(() => undefined);

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

/** A form whose refusals stand at their fields; what names no field stands in an alert. */
export function Form({ onSubmit, submit, beside, within = '', children }: FormProps) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const details = error instanceof ApiError ? error.details : [];
  const refusalOf = (name: string): string | undefined => {
    const field = within + name;
    return details.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message;
  };

  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const values = valuesOf(new FormData(event.currentTarget));
    setBusy(true);
    setError(undefined);
    await onSubmit(values).catch(setError);
    setBusy(false);
  };

  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Refusals value={refusalOf}>{children}</Refusals>
      <Problem error={error} />
      <div className="form-end">
        {beside}
        <button type="submit" className="primary" disabled={busy}>
          {submit}
        </button>
      </div>
    </form>
  );
}

/** Text by name; of several with one name, all of them joined by commas. */
function valuesOf(data: FormData): Record<string, string> {
  const names = [...new Set(data.keys())];
  return Object.fromEntries(names.map((name) => [name, data.getAll(name).map(String).join(',')]));
}

interface LabelProps {
  label: string;
  hint?: string | undefined;
  /** What the API calls it, where that is not its name in the form. */
  field?: string | undefined;
}

/** A label, what is filled in, and beneath it a hint, or why the API refused it. */
function useLabelled({ label, hint, field = '' }: LabelProps) {
  const id = useId();
  const problem = use(Refusals)(field);
  const input = {
    id,
    'aria-invalid': problem !== undefined,
    'aria-describedby': `${id}-hint`,
  };
  const around = (control: ReactNode): ReactNode => (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {control}
      <p id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint bad'}>
        {problem ?? hint}
      </p>
    </div>
  );
  return { input, around };
}

type Labelled<T extends 'input' | 'textarea' | 'select'> = Omit<ComponentProps<T>, 'id'> &
  LabelProps;

export function Field({ label, hint, field, ...rest }: Labelled<'input'>) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(<input {...rest} {...input} />);
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

export function Area({ label, hint, field, ...rest }: Labelled<'textarea'>) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(<textarea rows={4} {...rest} {...input} />);
}

/** Values and their words, as a list to choose from. */
export type Options = readonly (readonly [value: string, words: string])[];

export function OptionList({ of }: { of: Options }) {
  return of.map(([value, words]) => (
    <option key={value} value={value}>
      {words}
    </option>
  ));
}

export function Choice({
  label,
  hint,
  field,
  options,
  ...rest
}: Labelled<'select'> & { options: Options }) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(
    <select {...rest} {...input}>
      <OptionList of={options} />
    </select>,
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
