import { useState, type ReactNode } from 'react';
import { ApiError } from '../session/api-error';
import { useSession } from '../session/use-session';
import { text } from '../text/en';
import { Field, Form } from '../ui/form';
import { Page } from '../ui/page';

type Step = 'sign-in' | 'register' | 'forgot';
type Values = Record<string, string>;

/** What stands in place of the pages while nobody is signed in. */
export function SignIn() {
  const [step, setStep] = useState<Step>('sign-in');
  const steps: Record<Step, ReactNode> = {
    'sign-in': <Login go={setStep} />,
    register: <Register go={setStep} />,
    forgot: <Forgot go={setStep} />,
  };
  return <main className="alone">{steps[step]}</main>;
}

interface StepProps {
  go: (step: Step) => void;
}

const isAskedForCode = (error: unknown): boolean =>
  error instanceof ApiError && /^TWO_FACTOR_(REQUIRED|INVALID)$/.test(error.code);

function Login({ go }: StepProps) {
  const session = useSession();
  const [needsCode, setNeedsCode] = useState(false);
  const words = text.signIn;
  const submit = async ({ email, password, code }: Values): Promise<void> => {
    try {
      await session.enter('login', { email, password, ...(code && { code: code.trim() }) });
    } catch (error) {
      if (isAskedForCode(error)) setNeedsCode(true);
      // The first time it is no refusal, only the next question.
      if (!(error instanceof ApiError && error.code === 'TWO_FACTOR_REQUIRED')) throw error;
    }
  };
  const title = session.side === 'merchant' ? words.merchantTitle : words.partnerTitle;
  return (
    <Page title={title}>
      <Form onSubmit={submit} submit={words.signIn}>
        {(problem) => (
          <>
            <EmailField problem={problem('email')} />
            <Field
              label={text.password}
              name="password"
              type="password"
              autoComplete="current-password"
              problem={problem('password')}
            />
            {needsCode && (
              <Field
                label={words.code}
                name="code"
                inputMode="numeric"
                autoComplete="one-time-code"
                hint={words.codeHint}
                problem={problem('code')}
                autoFocus
              />
            )}
          </>
        )}
      </Form>
      <p className="alone-links">
        <button type="button" className="quiet" onClick={() => go('forgot')}>
          {words.forgot}
        </button>
        <button type="button" className="quiet" onClick={() => go('register')}>
          {words.noAccount}
        </button>
      </p>
    </Page>
  );
}

function Register({ go }: StepProps) {
  const session = useSession();
  const words = text.signIn;
  const isMerchant = session.side === 'merchant';
  const submit = async ({ name, email, password, workspaceName }: Values): Promise<void> => {
    const body = { name, email, password, ...(isMerchant && { workspaceName }) };
    await session.enter('register', body);
  };
  return (
    <Page title={words.createTitle}>
      <Form onSubmit={submit} submit={words.createAccount}>
        {(problem) => (
          <>
            <Field label={text.name} name="name" autoComplete="name" problem={problem('name')} />
            <EmailField problem={problem('email')} />
            <NewPassword label={text.password} problem={problem('password')} />
            {isMerchant && (
              <Field
                label={words.workspace}
                name="workspaceName"
                autoComplete="organization"
                problem={problem('workspaceName')}
              />
            )}
          </>
        )}
      </Form>
      <p className="alone-links">
        <button type="button" className="quiet" onClick={() => go('sign-in')}>
          {words.haveAccount}
        </button>
      </p>
    </Page>
  );
}

function Forgot({ go }: StepProps) {
  const session = useSession();
  const [sent, setSent] = useState(false);
  const words = text.signIn;
  const submit = async ({ email }: Values): Promise<void> => {
    await session.post('forgot-password', { email });
    setSent(true);
  };
  return (
    <Page title={words.forgotTitle}>
      {sent ? (
        <p role="status">{words.forgotSent}</p>
      ) : (
        <Form onSubmit={submit} submit={words.forgotSend}>
          {(problem) => <EmailField problem={problem('email')} />}
        </Form>
      )}
      <p className="alone-links">
        <button type="button" className="quiet" onClick={() => go('sign-in')}>
          {words.haveAccount}
        </button>
      </p>
    </Page>
  );
}

export function EmailField({ problem }: { problem: string | undefined }) {
  return (
    <Field label={text.email} name="email" type="email" autoComplete="username" problem={problem} />
  );
}

export function NewPassword({ label, problem }: { label: string; problem: string | undefined }) {
  return (
    <Field
      label={label}
      name="password"
      type="password"
      autoComplete="new-password"
      hint={text.signIn.passwordHint}
      problem={problem}
    />
  );
}
