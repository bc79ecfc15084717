import { text } from '../text/en';
import { Field } from '../ui/form';

/** The password that the account has, asked for before what matters. */
export function Password({ field }: { field?: string }) {
  return (
    <Field
      label={text.password}
      name="password"
      type="password"
      autoComplete="current-password"
      field={field}
    />
  );
}
