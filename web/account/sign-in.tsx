import { useState, type FunctionComponent, type ReactNode } from 'react';
import { ApiError } from '../session/api-error';
import { useSession, useSideName } from '../session/use-session';
import { text } from '../text/en';
import { Password } from './password';
import { Field, Form } from '../ui/plain-form';
import { Page, type PageProps } from '../ui/page';

type Step = 'sign-in' | 'register' | 'forgot';
type Values = Record<string, string>;

interface SignInProps {
  /** A section where it stands on a page of its own heading. */
  frame?: FunctionComponent<PageProps>;
  /** The address that somebody was invited by. */
  email?: string;
  /** The name that they were invited by, which they may change. */
  name?: string | undefined;
  /** Who was invited may have an account or not: both ways stand above the form, the new one first. */
  isNew?: boolean;
  /** Called before an account is taken, which ends this form. */
  onEnter?: () => void;
}

const doNothing = (): void => undefined;

/** The way in: to an account, to a new one, or to a new password. */
export function SignIn({
  frame = Page,
  email,
  name,
  isNew = false,
  onEnter = doNothing,
}: SignInProps) {
  const [step, setStep] = useState<Step>(isNew ? 'register' : 'sign-in');
  const props = { go: setStep, Frame: frame, email, name, isNew, onEnter };
  const steps: Record<Step, ReactNode> = {
    'sign-in': <Login {...props} />,
    register: <Register {...props} />,
    forgot: <Forgot {...props} />,
  };
  return steps[step];
}

interface StepProps {
  go: (step: Step) => void;
  Frame: FunctionComponent<PageProps>;
  email: string | undefined;
  name: string | undefined;
  isNew: boolean;
  onEnter: () => void;
}

const isAskedForCode = (error: unknown): boolean =>
  error instanceof ApiError && /^TWO_FACTOR_(REQUIRED|INVALID)$/.test(error.code);

/** Which of the two one is, where somebody was invited and may be either. */
function Either({ go, isNew, at }: Pick<StepProps, 'go' | 'isNew'> & { at: Step }) {
  if (!isNew) return null;
  const words = text.signIn;
  const ways = [
    ['register', words.noAccount],
    ['sign-in', words.haveAccount],
  ] as const;
  return (
    <p className="either">
      {ways.map(([step, label]) => (
        <button key={step} type="button" aria-pressed={step === at} onClick={() => go(step)}>
          {label}
        </button>
      ))}
    </p>
  );
}

function Login({ go, Frame, email: invited, isNew, onEnter }: StepProps) {
  const session = useSession();
  const side = useSideName();
  const [needsCode, setNeedsCode] = useState(false);
  const words = text.signIn;
  const submit = async ({ email = '', password = '', code }: Values): Promise<void> => {
    try {
      const typed = { email, password, ...(code && { code: code.trim() }) };
      onEnter();
      await session.enter(`signIn.login${side}`, typed);
    } catch (error) {
      if (isAskedForCode(error)) setNeedsCode(true);
      // The first time it is no refusal, only the next question.
      if (!(error instanceof ApiError && error.code === 'TWO_FACTOR_REQUIRED')) throw error;
    }
  };
  const title = session.side === 'merchant' ? words.merchantTitle : words.partnerTitle;
  return (
    <Frame title={title}>
      <Either go={go} isNew={isNew} at="sign-in" />
      <Form onSubmit={submit} submit={words.signIn}>
        <EmailField known={invited} />
        <Password />
        {needsCode && (
          <Field
            label={words.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            hint={words.codeHint}
            autoFocus
          />
        )}
      </Form>
      <p className="alone-links">
        <button type="button" className="quiet" onClick={() => go('forgot')}>
          {words.forgot}
        </button>
        {!isNew && (
          <button type="button" className="quiet" onClick={() => go('register')}>
            {words.createAccount}
          </button>
        )}
      </p>
    </Frame>
  );
}

function Register({ go, Frame, email: invited, name: known, isNew, onEnter }: StepProps) {
  const session = useSession();
  const words = text.signIn;
  const isMerchant = session.side === 'merchant';
  const submit = async (values: Values): Promise<void> => {
    const { name = '', email = '', password = '', workspaceName = '' } = values;
    const person = { name, email, password };
    onEnter();
    if (isMerchant) await session.enter('signIn.registerMerchant', { ...person, workspaceName });
    else await session.enter('signIn.registerPartner', person);
  };
  return (
    <Frame title={words.createTitle}>
      <Either go={go} isNew={isNew} at="register" />
      <Form onSubmit={submit} submit={words.createAccount}>
        <Field label={text.name} name="name" autoComplete="name" defaultValue={known} />
        <EmailField known={invited} />
        <NewPassword />
        {isMerchant && (
          <Field
            label={words.workspace}
            name="workspaceName"
            autoComplete="organization"
            hint={words.workspaceHint}
          />
        )}
      </Form>
      {!isNew && (
        <p className="alone-links">
          <button type="button" className="quiet" onClick={() => go('sign-in')}>
            {words.haveAccount}
          </button>
        </p>
      )}
    </Frame>
  );
}

function Forgot({ go, Frame, email: invited }: StepProps) {
  const session = useSession();
  const side = useSideName();
  const [sent, setSent] = useState(false);
  const words = text.signIn;
  const submit = async ({ email = '' }: Values): Promise<void> => {
    await session.askOpenly(`signIn.forgotPassword${side}`, { email });
    setSent(true);
  };
  return (
    <Frame title={words.forgotTitle}>
      {sent ? (
        <p role="status">{words.forgotSent}</p>
      ) : (
        <Form onSubmit={submit} submit={words.forgotSend}>
          <EmailField known={invited} />
        </Form>
      )}
      <p className="alone-links">
        <button type="button" className="quiet" onClick={() => go('sign-in')}>
          {words.haveAccount}
        </button>
      </p>
    </Frame>
  );
}

export function EmailField({ known }: { known?: string | undefined }) {
  return (
    <Field
      label={text.email}
      name="email"
      type="email"
      autoComplete="username"
      defaultValue={known}
    />
  );
}

interface NewPasswordProps {
  label?: string;
  name?: string;
}

export function NewPassword({ label = text.password, name = 'password' }: NewPasswordProps) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      autoComplete="new-password"
      hint={text.signIn.passwordHint}
    />
  );
}
