import { useState } from 'react';
import type { MerchantAccountDto, SessionDto } from '../session/records';
import { useApi, useAuthPath, useChange, useSession } from '../session/use-session';
import { text } from '../text/en';
import { FormButton, ActButton } from '../ui/ask';
import { inWords } from '../ui/format';
import { Field, Form } from '../ui/plain-form';
import { Loaded, Problem, Section } from '../ui/page';
import { List, Table } from '../ui/table';
import { When } from '../ui/values';
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

/** What the pages read of an account, the same on both sides. */
type Own = Pick<MerchantAccountDto, 'name' | 'email' | 'emailVerified'>;

function Me() {
  const session = useSession();
  const path = useAuthPath();
  const accountPath = session.side === 'merchant' ? `${path}/account` : '/api/v1/partner/account';
  const own = useApi<Own>(accountPath);
  const change = useChange<Own>((answer) => {
    if (answer) session.update(answer);
  });
  return (
    <Section title={words.me}>
      <Loaded query={own}>
        {({ name: known, email, emailVerified }) => (
          <>
            <p>
              {email} {emailVerified ? words.verified : <NotVerified path={path} />}
            </p>
            <Form
              submit={text.save}
              onSubmit={({ name }) =>
                change.mutateAsync({ path: accountPath, method: 'PATCH', body: { name } })
              }
            >
              <Field label={text.name} name="name" defaultValue={known} />
            </Form>
          </>
        )}
      </Loaded>
      <div className="inline-actions">
        <FormButton
          label={words.changeEmail}
          send={({ email, password }) =>
            change.mutateAsync({
              path: `${path}/change-email`,
              method: 'POST',
              body: { email, password },
            })
          }
        >
          <EmailField />
          <Password />
        </FormButton>
        <FormButton
          label={words.changePassword}
          send={({ password, newPassword }) =>
            change.mutateAsync({
              path: `${path}/change-password`,
              method: 'POST',
              body: { currentPassword: password, newPassword },
            })
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
function NotVerified({ path }: { path: string }) {
  const [isSent, setSent] = useState(false);
  if (isSent) return <span role="status">{words.verifySent}</span>;
  return (
    <>
      <span className="badge waiting">{words.notVerified}</span>{' '}
      <ActButton
        label={words.verifyAgain}
        call={{ path: `${path}/email/resend-verification`, method: 'POST', body: {} }}
        onDone={() => setSent(true)}
      />
    </>
  );
}

function Sessions() {
  const path = `${useAuthPath()}/sessions`;
  const change = useChange();
  return (
    <Section title={words.sessions}>
      <Problem error={change.error} />
      <List<SessionDto>
        path={path}
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
                <button
                  type="button"
                  onClick={() => change.mutate({ path: `${path}/${id}`, method: 'DELETE' })}
                >
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

interface Preference {
  category: string;
  inApp: boolean;
  email: boolean;
  protected: boolean;
}

function Preferences() {
  const { side } = useSession();
  const path = `/api/v1/${side === 'merchant' ? '' : 'partner/'}notifications/preferences`;
  const preferences = useApi<{ preferences: Preference[] }>(path);
  const change = useChange();
  const set = (one: Preference, part: Partial<Preference>): void => {
    const { category, inApp, email } = { ...one, ...part };
    change.mutate({ path, method: 'PATCH', body: { preferences: [{ category, inApp, email }] } });
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

/** Those that call themselves by others' names too come first. */
const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

/** Such as `Chrome, Linux`; what is no browser says what it calls itself. */
function browserInWords(userAgent: string | null): string {
  if (userAgent === null) return text.nothing;
  const browser = browsers.find(([sign]) => userAgent.includes(sign))?.[1];
  const system = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.[1];
  if (browser === undefined) return userAgent;
  return system === undefined ? browser : `${browser}, ${system.replace(' OS X', '')}`;
}
