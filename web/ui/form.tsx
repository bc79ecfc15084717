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

/** A form whose refusals stand at their fields; what names no field stands in an alert. */
export function Form({ onSubmit, submit, beside, children }: FormProps) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const details = error instanceof ApiError ? error.details : [];
  const problems: Problems = (field) =>
    details.find((one) => one.field === field || one.field.startsWith(`${field}.`))?.message;

  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const values = Object.fromEntries(
      [...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]),
    );
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
  options: readonly (readonly [value: string, words: string])[];
};

export function Choice({ label, options, ...select }: ChoiceProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} {...select}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
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
