import { useAccount } from '../session/use-session';
import { text } from '../text/en';
import { Field } from '../ui/plain-form';

/** The password that the account has, asked for before what matters. */
export function Password({ field, hint }: { field?: string; hint?: string | undefined }) {
  return (
    <Field
      label={text.password}
      name="password"
      type="password"
      autoComplete="current-password"
      field={field}
      hint={hint}
    />
  );
}

/** A code of the second factor. */
export function CodeField() {
  return (
    <Field label={text.signIn.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
  );
}

/** The same, and a code where the account has a second factor. */
export function PasswordAndCode({ hint }: { hint?: string }) {
  const account = useAccount();
  return (
    <>
      <Password hint={hint} />
      {account?.twoFactor && <CodeField />}
    </>
  );
}

/** What those fields say. */
export function proofOf({ password = '', code }: Record<string, string>) {
  return { password, ...(code ? { code: code.trim() } : {}) };
}
