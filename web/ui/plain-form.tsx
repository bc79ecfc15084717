import {
  createContext,
  use,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type ReactNode,
} from 'react';
import { text } from '../text/en';
import { ApiError } from '../session/api-error';
import { Problem } from './page';

interface FormProps {
  /** Text of the fields by name. An ApiError that it throws stands at the fields it names. */
  onSubmit: (values: Record<string, string>) => Promise<unknown>;
  submit: string;
  /** Whether it destroys: its button is red. */
  isDestroying?: boolean;
  /** What stands beside the button that submits. */
  beside?: ReactNode;
  /** What the API names its fields by, such as `rules[0].`. */
  within?: string;
  children: ReactNode;
}

/** What the API says of a field of the form around it, by the field's name. */
export const Refusals = createContext<(field: string) => string | undefined>(() => undefined);

/** A form whose refusals stand at their fields; what names no field stands in an alert. */
export function Form({
  onSubmit,
  submit,
  isDestroying = false,
  beside,
  within = '',
  children,
}: FormProps) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const fields = useRef(new Set<string>());
  const sent = useRef<Record<string, string>>({});
  const details = error instanceof ApiError ? error.details : [];
  const isOfApi = error instanceof ApiError && error.status !== 0;
  const refusalOf = (name: string): string | undefined => {
    const field = within + name;
    fields.current.add(field);
    const of = details.find((one) => one.field === field || one.field.startsWith(`${field}.`));
    // What is empty need not hear of the API which letters it may not have; the form's own words stay.
    const isEmpty = sent.current[name]?.trim() === '';
    return of && isEmpty && isOfApi ? text.needed : of?.message;
  };

  /** Whether all that was refused stands at fields, so that no alert says it again. */
  const isAtFields = (): boolean =>
    details.length > 0 &&
    details.every(({ field }) =>
      [...fields.current].some((one) => field === one || field.startsWith(`${one}.`)),
    );

  const send = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    // A dialog stands in the page's tree within whatever opened it: what is around it is not sent.
    event.stopPropagation();
    const values = valuesOf(new FormData(event.currentTarget));
    sent.current = values;
    setBusy(true);
    setError(undefined);
    await onSubmit(values).catch(setError);
    setBusy(false);
  };

  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Refusals value={refusalOf}>{children}</Refusals>
      {!isAtFields() && <Problem error={error} />}
      {busy && (
        <div role="status" className="late">
          <progress aria-label={text.working} /> {text.working}
        </div>
      )}
      <div className="form-end">
        {beside}
        <button
          type="submit"
          className={isDestroying ? 'destroy' : 'primary'}
          aria-busy={busy}
          disabled={busy}
        >
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

export interface LabelProps {
  label: string;
  hint?: string | undefined;
  /** What the API calls it, where that is not its name in the form. */
  field?: string | undefined;
}

/** A label, what is filled in, and beneath it a hint, or why the API refused it. */
export function useLabelled({ label, hint, field = '' }: LabelProps) {
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

export type Labelled<T extends 'input' | 'textarea'> = Omit<ComponentProps<T>, 'id'> & LabelProps;

export function Field({ label, hint, field, ...rest }: Labelled<'input'>) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(<input {...rest} {...input} />);
}

export function Area({ label, hint, field, ...rest }: Labelled<'textarea'>) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(<textarea rows={4} {...rest} {...input} />);
}
