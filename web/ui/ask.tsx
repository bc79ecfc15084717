import type { ReactNode } from 'react';
import { useChange, type Change } from '../session/use-session';
import { text } from '../text/en';
import { DialogButton } from './dialog';
import { Area, Form } from './form';
import { Problem } from './page';

interface ActProps {
  label: string;
  /** Its accessible name, where a list has the same button in each row. */
  name?: string | undefined;
  className?: string | undefined;
  call: Change;
  onDone?: () => void;
}

/** A button that changes something at once, and says why where it was refused. */
export function ActButton({ label, name, className, call, onDone }: ActProps) {
  const change = useChange(onDone);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        disabled={change.isPending}
        onClick={() => change.mutate(call)}
      >
        {label}
      </button>
      <Problem error={change.error} />
    </>
  );
}

interface ConfirmProps extends ActProps {
  /** What will happen. */
  children: ReactNode;
}

/** A button whose dialog says what will happen, and does it when it is said again. */
export function ConfirmButton({ label, call, onDone, children, ...button }: ConfirmProps) {
  const change = useChange(onDone);
  return (
    <DialogButton label={label} {...button}>
      {(close) => (
        <Form
          submit={label}
          onSubmit={async () => {
            await change.mutateAsync(call);
            close();
          }}
        >
          {() => children}
        </Form>
      )}
    </DialogButton>
  );
}

interface ReasonProps {
  label: string;
  name?: string | undefined;
  className?: string | undefined;
  send: (reason: string) => Promise<unknown>;
}

/** A button whose dialog asks for the reason first. */
export function ReasonButton({ label, send, ...button }: ReasonProps) {
  return (
    <DialogButton label={label} {...button}>
      {(close) => (
        <Form
          submit={label}
          onSubmit={async ({ reason = '' }) => {
            await send(reason);
            close();
          }}
        >
          {(problem) => <Area label={text.reason} name="reason" problem={problem('reason')} />}
        </Form>
      )}
    </DialogButton>
  );
}
