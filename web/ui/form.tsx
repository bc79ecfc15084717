import { useId, useState, type ComponentProps, type FormEvent, type ReactNode } from 'react';
import { ApiError } from '../session/api-error';
import { Problem } from './page';

interface FormProps {
  /** Text of the fields by name. An ApiError that it throws stands at the fields it names. */
  onSubmit: (values: Record<string, string>) => Promise<unknown>;
  submit: string;
  /** Beside the button that submits. */
  beside?: ReactNode;
  children: (problems: Problems) => ReactNode;
}

/** What the API says of a field, by the field's name. */
export type Problems = (field: string) => string | undefined;

/** Ticks of one name: what is ticked arrives joined by commas. */
export function Ticks({ label, name, options, chosen, problem }: TicksProps) {
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

interface TicksProps {
  label: string;
  name: string;
  options: readonly string[];
  chosen: readonly string[];
  problem?: string | undefined;
}

/** A form whose refusals stand at their fields; what names no field stands in an alert. */
export function Form({ onSubmit, submit, beside, children }: FormProps) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const details = error instanceof ApiError ? error.details : [];
  const problems: Problems = (field) =>
    details.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message;

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
      {children(problems)}
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

type InputProps = Omit<ComponentProps<'input'>, 'id'> & {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
};

export function Field({ label, hint, problem, ...input }: InputProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        {...input}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint bad'}>
        {problem ?? hint}
      </p>
    </div>
  );
}

type AreaProps = Omit<ComponentProps<'textarea'>, 'id'> & {
  label: string;
  hint?: string | undefined;
  problem?: string | undefined;
};

export function Area({ label, hint, problem, ...area }: AreaProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={4}
        {...area}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
      />
      <p id={`${id}-hint`} className={problem === undefined ? 'hint' : 'hint bad'}>
        {problem ?? hint}
      </p>
    </div>
  );
}

type ChoiceProps = Omit<ComponentProps<'select'>, 'id'> & {
  label: string;
  problem?: string | undefined;
  options: readonly (readonly [value: string, words: string])[];
};

export function Choice({ label, options, problem, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        {...select}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-hint`}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} className="hint bad">
        {problem}
      </p>
    </div>
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
