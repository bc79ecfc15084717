import { useEffect, useState } from 'react';
import type { TwoFactorSetupDto } from '../session/records';
import { useAccount, useSession, useSideName } from '../session/use-session';
import { text } from '../text/en';
import { FormButton } from '../ui/ask';
import { DialogButton } from '../ui/dialog';
import { Form } from '../ui/plain-form';
import { Page, Section } from '../ui/page';
import { ShownOnce, Copyable } from '../ui/values';
import { CodeField, Password } from './password';

const words = text.personal;

/** The page in place of all others where the workspace asks for a second factor that the member has not. */
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
          <Disable />
        </div>
      ) : (
        <DialogButton label={words.enable} title={text.doTo(words.enable, words.twoFactor)}>
          {(close) => <Enable close={close} />}
        </DialogButton>
      )}
    </Section>
  );
}

/** Password, then the secret in the app, then its first code, then the recovery codes, once. */
function Enable({ close }: { close: () => void }) {
  const session = useSession();
  const side = useSideName();
  const [setup, setSetup] = useState<TwoFactorSetupDto>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) {
    const seen = (): void => {
      session.update({ twoFactor: true });
      close();
    };
    return <ShownOnce hint={words.recoveryOnce} value={codes.join(' ')} onSeen={seen} />;
  }
  if (setup) {
    return (
      <Form
        submit={words.enable}
        onSubmit={async ({ code = '' }) => {
          const typed = { code: code.trim() };
          const answer = await session.ask(`ownAccount.enableTwoFactor${side}`, typed);
          setCodes(answer.recoveryCodes);
        }}
      >
        <p>{words.scan}</p>
        <QrCode text={setup.otpauthUrl} />
        <Copyable value={setup.secret} />
        <p>
          <a href={setup.otpauthUrl}>{words.openApp}</a>
        </p>
        <CodeField />
      </Form>
    );
  }
  return (
    <Form
      submit={words.next}
      onSubmit={async ({ password = '' }) =>
        setSetup(await session.ask(`ownAccount.setUpTwoFactor${side}`, { password }))
      }
    >
      <Password />
    </Form>
  );
}

/** The QR code, drawn here: the secret leaves the page for no picture. */
function QrCode({ text: shown }: { text: string }) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    void import('qrcode')
      .then(({ default: qrcode }) => qrcode.toString(shown, { type: 'svg' }))
      .then((svg) => setSource(`data:image/svg+xml,${encodeURIComponent(svg)}`));
  }, [shown]);
  return source ? <img className="qr" src={source} alt={words.qr} /> : null;
}

/** The old ones end. */
function NewRecovery({ close }: { close: () => void }) {
  const session = useSession();
  const side = useSideName();
  const [codes, setCodes] = useState<string[]>();
  if (codes) {
    return <ShownOnce hint={words.recoveryOnce} value={codes.join(' ')} onSeen={close} />;
  }
  return (
    <Form
      submit={words.newRecovery}
      onSubmit={async ({ password = '', code = '' }) => {
        const typed = { password, code: code.trim() };
        const answer = await session.ask(`ownAccount.renewRecoveryCodes${side}`, typed);
        setCodes(answer.recoveryCodes);
      }}
    >
      <p>{words.newRecoveryHint}</p>
      <Password />
      <CodeField />
    </Form>
  );
}

function Disable() {
  const session = useSession();
  const side = useSideName();
  return (
    <FormButton
      label={words.disable}
      title={text.doTo(words.disable, words.twoFactor)}
      className="danger"
      send={async ({ password = '', code = '' }) => {
        const typed = { password, code: code.trim() };
        await session.ask(`ownAccount.disableTwoFactor${side}`, typed);
        session.update({ twoFactor: false });
      }}
    >
      <Password />
      <CodeField />
    </FormButton>
  );
}
