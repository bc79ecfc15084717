import { NewPassword } from '../../account/sign-in';
import { useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Field, Form } from '../../ui/plain-form';
import { Page } from '../../ui/page';
import { useToken } from '../token';

const words = text.mails;

export default function AcceptInvitePage() {
  const session = useSession();
  const token = useToken();
  const join = async ({ name = '', password = '' }: Record<string, string>): Promise<void> => {
    await session.enter('signIn.acceptMemberInvite', { token, name, password });
    window.location.replace('/app');
  };
  return (
    <Page title={words.inviteTitle}>
      <Form submit={words.join} onSubmit={join}>
        <p>{words.inviteHint}</p>
        <Field label={text.name} name="name" autoComplete="name" />
        <NewPassword />
      </Form>
    </Page>
  );
}
