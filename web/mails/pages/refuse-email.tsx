import { useState } from 'react';
import { useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Form } from '../../ui/plain-form';
import { Page } from '../../ui/page';
import { useToken } from '../token';

const words = text.mails;

/** The page of who got a mail to confirm an address, and did not ask for an account. */
export default function RefuseEmailPage() {
  const session = useSession();
  const token = useToken();
  const [isDone, setDone] = useState(false);
  const refuse = async (): Promise<void> => {
    await session.askOpenly('signIn.refuseEmail', { token });
    setDone(true);
  };
  return (
    <Page title={words.refuseTitle}>
      {isDone ? (
        <p role="status">{words.refused}</p>
      ) : (
        <Form submit={words.refuse} onSubmit={refuse}>
          <p>{words.refuseHint}</p>
        </Form>
      )}
    </Page>
  );
}
