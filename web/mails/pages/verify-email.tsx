import { useState } from 'react';
import { useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Form } from '../../ui/plain-form';
import { Page } from '../../ui/page';
import { useToken } from '../token';
import { Ways } from '../ways';

const words = text.mails;

export default function VerifyEmailPage() {
  const session = useSession();
  const token = useToken();
  const [isDone, setDone] = useState(false);
  const verify = async (): Promise<void> => {
    await session.askOpenly('signIn.verifyEmail', { token });
    setDone(true);
  };
  return (
    <Page title={isDone ? words.verifiedTitle : words.verifyTitle}>
      {isDone ? (
        <>
          <p role="status">{words.verified}</p>
          <Ways />
        </>
      ) : (
        <Form submit={words.verify} onSubmit={verify}>
          <p>{words.verifyHint}</p>
        </Form>
      )}
    </Page>
  );
}
