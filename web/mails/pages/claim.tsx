import { NewPassword } from '../../account/sign-in';
import { useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Form } from '../../ui/plain-form';
import { Page } from '../../ui/page';
import { useToken } from '../token';
import { Ways } from '../ways';

const words = text.mails;

/** The page of a partner whom a merchant or a server has added. */
export default function ClaimPage() {
  const session = useSession();
  const token = useToken();
  const claim = async ({ password = '' }: Record<string, string>): Promise<void> => {
    await session.enter('signIn.claimPartnerAccount', { token, password });
    window.location.replace('/portal');
  };
  return (
    <Page title={words.claimTitle}>
      <Form submit={words.claim} onSubmit={claim}>
        <p>{words.claimHint}</p>
        <NewPassword />
      </Form>
      <Ways side="partner" />
    </Page>
  );
}
