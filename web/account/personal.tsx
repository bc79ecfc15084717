import { useState } from 'react';
import type { SessionDto, TwoFactorSetupDto } from '../session/records';
import { useAccount, useApi, useChange, useSession } from '../session/use-session';
import { text } from '../text/en';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Loaded, Problem, Section } from '../ui/page';
import { Table, type Paged } from '../ui/table';
import { Copyable, When } from '../ui/values';
import { EmailField } from './sign-in';

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

function useAuthPath(): string {
  return `/api/v1/auth/${useSession().side}`;
}

function Me() {
  const session = useSession();
  const account = useAccount();
  const path = useAuthPath();
  const change = useChange<{ name: string; email: string }>((answer) => {
    if (answer) session.update(answer);
  });
  const accountPath = session.side === 'merchant' ? `${path}/account` : '/api/v1/partner/account';
  return (
    <Section title={words.me}>
      <Form
        submit={text.save}
        onSubmit={({ name }) =>
          change.mutateAsync({ path: accountPath, method: 'PATCH', body: { name } })
        }
      >
        {(problem) => (
          <Field
            label={text.name}
            name="name"
            defaultValue={account?.name}
            problem={problem('name')}
          />
        )}
      </Form>
      <div className="inline-actions">
        <DialogButton label={words.changeEmail}>
          {(close) => (
            <Form
              submit={words.changeEmail}
              onSubmit={async ({ email, password }) => {
                const body = { email, password };
                await change.mutateAsync({ path: `${path}/change-email`, method: 'POST', body });
                close();
              }}
            >
              {(problem) => (
                <>
                  <EmailField problem={problem('email')} />
                  <Password problem={problem('password')} />
                </>
              )}
            </Form>
          )}
        </DialogButton>
        <DialogButton label={words.changePassword}>
          {(close) => (
            <Form
              submit={words.changePassword}
              onSubmit={async ({ password, newPassword }) => {
                const body = { currentPassword: password, newPassword };
                await change.mutateAsync({ path: `${path}/change-password`, method: 'POST', body });
                close();
              }}
            >
              {(problem) => (
                <>
                  <Password problem={problem('currentPassword')} />
                  <Field
                    label={text.signIn.newPassword}
                    name="newPassword"
                    type="password"
                    autoComplete="new-password"
                    hint={text.signIn.passwordHint}
                    problem={problem('newPassword')}
                  />
                </>
              )}
            </Form>
          )}
        </DialogButton>
      </div>
    </Section>
  );
}

export function Password({ problem }: { problem: string | undefined }) {
  return (
    <Field
      label={text.password}
      name="password"
      type="password"
      autoComplete="current-password"
      problem={problem}
    />
  );
}

function TwoFactor() {
  const account = useAccount();
  return (
    <Section title={words.twoFactor}>
      <p>{account?.twoFactor ? words.twoFactorOn : words.twoFactorOff}</p>
      {account?.twoFactor ? (
        <DialogButton label={words.disable}>{(close) => <Disable close={close} />}</DialogButton>
      ) : (
        <DialogButton label={words.enable}>{(close) => <Enable close={close} />}</DialogButton>
      )}
    </Section>
  );
}

/** Password, then the secret in the app, then its first code, then the recovery codes, once. */
function Enable({ close }: { close: () => void }) {
  const session = useSession();
  const path = `${useAuthPath()}/two-factor`;
  const [setup, setSetup] = useState<TwoFactorSetupDto>();
  const [codes, setCodes] = useState<string[]>();
  const post = <T,>(action: string, body: unknown): Promise<T> =>
    session.call<T>(`${path}/${action}`, { method: 'POST', body });
  if (codes) {
    return (
      <>
        <p>{words.recoveryOnce}</p>
        <Copyable value={codes.join(' ')} />
        <div className="form-end">
          <button
            type="button"
            className="primary"
            onClick={() => {
              session.update({ twoFactor: true });
              close();
            }}
          >
            {text.keys.seen}
          </button>
        </div>
      </>
    );
  }
  if (setup) {
    return (
      <Form
        submit={words.enable}
        onSubmit={async ({ code = '' }) => {
          const answer = await post<{ recoveryCodes: string[] }>('enable', { code: code.trim() });
          setCodes(answer.recoveryCodes);
        }}
      >
        {(problem) => (
          <>
            <p>{words.scan}</p>
            <Copyable value={setup.secret} />
            <p>
              <a href={setup.otpauthUrl}>{words.openApp}</a>
            </p>
            <CodeField problem={problem('code')} />
          </>
        )}
      </Form>
    );
  }
  return (
    <Form
      submit={words.next}
      onSubmit={async ({ password }) =>
        setSetup(await post<TwoFactorSetupDto>('setup', { password }))
      }
    >
      {(problem) => <Password problem={problem('password')} />}
    </Form>
  );
}

function CodeField({ problem }: { problem: string | undefined }) {
  return (
    <Field
      label={text.signIn.code}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      problem={problem}
    />
  );
}

function Disable({ close }: { close: () => void }) {
  const session = useSession();
  const path = `${useAuthPath()}/two-factor`;
  return (
    <Form
      submit={words.disable}
      onSubmit={async ({ password, code = '' }) => {
        const body = { password, code: code.trim() };
        await session.call(`${path}/disable`, { method: 'POST', body });
        session.update({ twoFactor: false });
        close();
      }}
    >
      {(problem) => (
        <>
          <Password problem={problem('password')} />
          <CodeField problem={problem('code')} />
        </>
      )}
    </Form>
  );
}

function Sessions() {
  const path = `${useAuthPath()}/sessions`;
  const sessions = useApi<Paged<SessionDto>>(path, { limit: 50 });
  const change = useChange();
  return (
    <Section title={words.sessions}>
      <Problem error={change.error} />
      <Loaded query={sessions}>
        {({ data }) => (
          <Table
            caption={words.sessions}
            columns={[
              { title: words.browser, cell: ({ userAgent }) => userAgent ?? text.nothing },
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
            rows={data}
            rowKey={({ id }) => id}
            empty={text.nothing}
          />
        )}
      </Loaded>
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
        aria-label={`${one.category}: ${words}`}
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
              { title: words.about, cell: ({ category }) => category },
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
