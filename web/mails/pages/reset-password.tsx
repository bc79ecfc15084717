import { useState } from 'react';
import { NewPassword } from '../../account/sign-in';
import { ApiError } from '../../session/api-error';
import { sideNames, type Side } from '../../session/session';
import { useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Form } from '../../ui/plain-form';
import { Page } from '../../ui/page';
import { useToken } from '../token';
import { Ways } from '../ways';

const words = text.mails;

const isOfOther = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'RESET_TOKEN_INVALID';

export default function ResetPasswordPage() {
  const session = useSession();
  const token = useToken();
  const [side, setSide] = useState<Side>();
  const resetOf = async (one: Side, password: string): Promise<void> => {
    await session.askOpenly(`signIn.resetPassword${sideNames[one]}`, { token, password });
    setSide(one);
  };
  /** A token does not say whose it is: it is good for its own side alone. */
  const reset = ({ password = '' }: Record<string, string>): Promise<void> =>
    resetOf('merchant', password).catch((error: unknown) => {
      if (!isOfOther(error)) throw error;
      return resetOf('partner', password);
    });
  return (
    <Page title={words.resetTitle}>
      {side ? (
        <>
          <p role="status">{words.resetDone}</p>
          <Ways side={side} />
        </>
      ) : (
        <Form submit={words.reset} onSubmit={reset}>
          <p>{words.resetHint}</p>
          <NewPassword />
        </Form>
      )}
    </Page>
  );
}
