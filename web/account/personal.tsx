import { useState } from 'react';
import type { Answer, Fields } from '../session/operations';
import type { Side } from '../session/session';
import { useAnswer, useChange, useSession, useSideName } from '../session/use-session';
import { text } from '../text/en';
import { FormButton, ActButton } from '../ui/ask';
import { inWords } from '../ui/format';
import { Field, Form } from '../ui/plain-form';
import { Loaded, Problem, Section } from '../ui/page';
import { List } from '../ui/list';
import { Table } from '../ui/table';
import { When } from '../ui/values';
import { browserInWords } from './browser-words';
import { Password } from './password';
import { EmailField, NewPassword } from './sign-in';
import { TwoFactor } from './two-factor';

const words = text.personal;

/** What each person sets for themselves, on both sides. */
export function Personal() {
  return (
    <>
      <Me />
      <TwoFactor />
      <Sessions />
      <Preferences />
    </>
  );
}

/** The operations that each side has of its own for the same. */
const ownCalls = {
  merchant: {
    account: 'ownAccount.getMerchantAccount',
    update: 'ownAccount.updateMerchantAccount',
    preferences: 'notifications.getPreferences',
    updatePreferences: 'notifications.updatePreferences',
  },
  partner: {
    account: 'partnerAccount.get',
    update: 'partnerAccount.update',
    preferences: 'partnerPortal.getNotificationPreferences',
    updatePreferences: 'partnerPortal.updateNotificationPreferences',
  },
} as const;

function Me() {
  const session = useSession();
  const calls = ownCalls[session.side];
  const own = useAnswer(calls.account);
  const update = useChange(calls.update, (answer) => session.update(answer));
  const side = useSideName();
  const changeEmail = useChange(`ownAccount.changeEmail${side}`);
  const changePassword = useChange(`ownAccount.changePassword${side}`);
  return (
    <Section title={words.me}>
      <Loaded query={own}>
        {({ name: known, email, emailVerified }) => (
          <>
            <p>
              {email} {emailVerified ? words.verified : <NotVerified />}
            </p>
            <Form submit={text.save} onSubmit={({ name }) => update.mutateAsync({ name })}>
              <Field label={text.name} name="name" defaultValue={known} />
            </Form>
          </>
        )}
      </Loaded>
      <div className="inline-actions">
        <FormButton
          label={words.changeEmail}
          send={({ email = '', password = '' }) => changeEmail.mutateAsync({ email, password })}
        >
          <EmailField />
          <Password />
        </FormButton>
        <FormButton
          label={words.changePassword}
          send={({ password = '', newPassword = '' }) =>
            changePassword.mutateAsync({ currentPassword: password, newPassword })
          }
        >
          <Password field="currentPassword" />
          <NewPassword label={text.signIn.newPassword} name="newPassword" />
        </FormButton>
      </div>
    </Section>
  );
}

/** The mail of the first registration is lost easily. */
function NotVerified() {
  const side = useSideName();
  const [isSent, setSent] = useState(false);
  if (isSent) return <span role="status">{words.verifySent}</span>;
  return (
    <>
      <span className="badge waiting">{words.notVerified}</span>{' '}
      <ActButton
        label={words.verifyAgain}
        call={`ownAccount.resendVerification${side}`}
        onDone={() => setSent(true)}
      />
    </>
  );
}

function Sessions() {
  const side = useSideName();
  const end = useChange(`ownAccount.endSession${side}`);
  return (
    <Section title={words.sessions}>
      <Problem error={end.error} />
      <List
        call={`ownAccount.listSessions${side}`}
        name="sessionsPage"
        caption={words.sessions}
        columns={[
          { title: words.browser, cell: ({ userAgent }) => browserInWords(userAgent) },
          { title: words.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            title: text.actions,
            cell: ({ id, current }) =>
              current ? (
                words.thisOne
              ) : (
                <button type="button" onClick={() => end.mutate({ sessionId: id })}>
                  {words.end}
                </button>
              ),
          },
        ]}
        empty={text.nothing}
      />
    </Section>
  );
}

type Preference = Answer<(typeof ownCalls)[Side]['preferences']>['preferences'][number];

function Preferences() {
  const { side } = useSession();
  const calls = ownCalls[side];
  const preferences = useAnswer(calls.preferences);
  const change = useChange(calls.updatePreferences);
  const set = (one: Preference, part: Partial<Preference>): void => {
    const { category, inApp, email } = { ...one, ...part };
    // Each side has categories of its own, and changes those that it was told.
    const changed = { preferences: [{ category, inApp, email }] };
    change.mutate(changed as Fields<(typeof ownCalls)[Side]['updatePreferences']>);
  };
  const box = (name: 'inApp' | 'email', words: string) => ({
    title: words,
    cell: (one: Preference) => (
      <input
        type="checkbox"
        aria-label={`${inWords(one.category)}: ${words}`}
        checked={one[name]}
        disabled={one.protected}
        onChange={({ target }) => set(one, { [name]: target.checked })}
      />
    ),
  });
  return (
    <Section title={words.notices}>
      <Problem error={change.error} />
      <Loaded query={preferences}>
        {({ preferences: all }) => (
          <Table
            caption={words.notices}
            columns={[
              { title: words.about, cell: ({ category }) => inWords(category) },
              box('inApp', words.inApp),
              box('email', words.byMail),
            ]}
            rows={all}
            rowKey={({ category }) => category}
            empty={text.nothing}
          />
        )}
      </Loaded>
    </Section>
  );
}
