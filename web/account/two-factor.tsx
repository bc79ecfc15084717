import { useEffect, useState } from 'react';
import type { RecoveryCodesDto, TwoFactorSetupDto } from '../session/records';
import { useAccount, useAuthPath, useSession } from '../session/use-session';
import { text } from '../text/en';
import { DialogButton } from '../ui/dialog';
import { Field, Form } from '../ui/form';
import { Page, Section } from '../ui/page';
import { Copyable } from '../ui/values';
import { Password } from './password';

const words = text.personal;

/** In place of all pages where the workspace asks for a second factor that the member has not. */
export function SetUpTwoFactor() {
  return (
    <Page title={words.setUpTitle}>
      <p>{words.setUpHint}</p>
      <TwoFactor />
    </Page>
  );
}

/** Whether signing in asks for a code, and the way to change it. */
export function TwoFactor() {
  const account = useAccount();
  return (
    <Section title={words.twoFactor}>
      <p>{account?.twoFactor ? words.twoFactorOn : words.twoFactorOff}</p>
      {account?.twoFactor ? (
        <div className="inline-actions">
          <DialogButton label={words.newRecovery}>
            {(close) => <NewRecovery close={close} />}
          </DialogButton>
          <DialogButton label={words.disable}>{(close) => <Disable close={close} />}</DialogButton>
        </div>
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
    const seen = (): void => {
      session.update({ twoFactor: true });
      close();
    };
    return <Codes of={codes} seen={seen} />;
  }
  if (setup) {
    return (
      <Form
        submit={words.enable}
        onSubmit={async ({ code = '' }) => {
          const answer = await post<RecoveryCodesDto>('enable', { code: code.trim() });
          setCodes(answer.recoveryCodes);
        }}
      >
        {(problem) => (
          <>
            <p>{words.scan}</p>
            <QrCode text={setup.otpauthUrl} />
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

/** Drawn here: the secret leaves the page for no picture. */
function QrCode({ text: shown }: { text: string }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    void import('qrcode')
      .then(({ default: qrcode }) => qrcode.toString(shown, { type: 'svg' }))
      .then((svg) => setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`));
  }, [shown]);
  return source ? <img className="qr" src={source} alt={words.qr} /> : null;
}

/** Shown once: whoever goes on has kept them. */
function Codes({ of: codes, seen }: { of: readonly string[]; seen: () => void }) {
  return (
    <>
      <p>{words.recoveryOnce}</p>
      <Copyable value={codes.join(' ')} />
      <div className="form-end">
        <button type="button" className="primary" onClick={seen}>
          {text.keys.seen}
        </button>
      </div>
    </>
  );
}

/** The old ones end. */
function NewRecovery({ close }: { close: () => void }) {
  const session = useSession();
  const path = `${useAuthPath()}/two-factor/recovery-codes`;
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <Codes of={codes} seen={close} />;
  return (
    <Form
      submit={words.newRecovery}
      onSubmit={async ({ password, code = '' }) => {
        const body = { password, code: code.trim() };
        const answer = await session.call<RecoveryCodesDto>(path, { method: 'POST', body });
        setCodes(answer.recoveryCodes);
      }}
    >
      {(problem) => (
        <>
          <p>{words.newRecoveryHint}</p>
          <Password problem={problem('password')} />
          <CodeField problem={problem('code')} />
        </>
      )}
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
