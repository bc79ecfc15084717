import type { ReactNode } from 'react';
import { refused } from '../session/refused';
import { fieldsOf, type Asks, type Name } from '../session/operations';
import { useChange } from '../session/use-session';
import { text } from '../text/en';
import { DialogButton } from './dialog';
import { Area, Field, Form } from './plain-form';
import { Problem } from './page';
import { say } from './say';

interface ButtonProps {
  label: string;
  /** The dialog's title, where that is not the button's words: what, and how much. */
  title?: string | undefined;
  /** Its accessible name, where a list has the same button in each row. */
  name?: string | undefined;
  className?: string | undefined;
}

type ActProps<N extends Name> = ButtonProps & Asks<N> & { onDone?: () => void };

/** A button that changes something at once, and says why where it was refused. */
export function ActButton<N extends Name>({
  label,
  name,
  className,
  call,
  fields,
  onDone,
}: ActProps<N>) {
  const change = useChange(call, onDone);
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={name}
        disabled={change.isPending}
        onClick={() => change.mutate(fieldsOf<N>({ fields }))}
      >
        {label}
      </button>
      <Problem error={change.error} />
    </>
  );
}

/** A button whose dialog says what will happen, its children, and does it when it is said again. */
export function ConfirmButton<N extends Name>({
  call,
  fields,
  onDone,
  ...dialog
}: ActProps<N> & { children: ReactNode }) {
  const change = useChange(call, onDone);
  const send = () => change.mutateAsync(fieldsOf<N>({ fields }));
  return <FormButton {...dialog} send={send} />;
}

interface FormButtonProps extends ButtonProps {
  /** True for a button as wide as what it explains. */
  isWide?: boolean;
  /** The words of the button in the dialog, where they are not the same. */
  submit?: string;
  /** Said in a corner when it is done. */
  done?: string | undefined;
  /** What it throws stands at the fields; else the dialog closes. */
  send: (values: Record<string, string>) => Promise<unknown>;
  children: ReactNode;
}

/** A button whose dialog asks for what it needs, sends it and closes. */
export function FormButton({
  label,
  submit = label,
  done,
  send,
  children,
  ...button
}: FormButtonProps) {
  return (
    <DialogButton label={label} {...button}>
      {(close) => (
        <Form
          submit={submit}
          isDestroying={button.className === 'danger'}
          onSubmit={async (values) => {
            await send(values);
            close();
            if (done !== undefined) void say(done);
          }}
        >
          {children}
        </Form>
      )}
    </DialogButton>
  );
}

interface ReasonProps extends Omit<FormButtonProps, 'submit' | 'send' | 'children'> {
  /** What comes of it. */
  hint?: string;
  send: (reason: string) => Promise<unknown>;
}

/** A button whose dialog asks for the reason first. */
export function ReasonButton({ send, hint, ...dialog }: ReasonProps) {
  return (
    <FormButton {...dialog} send={({ reason = '' }) => send(reason)}>
      {hint && <p>{hint}</p>}
      <Area label={text.reason} name="reason" />
    </FormButton>
  );
}

interface TypedProps extends Omit<FormButtonProps, 'children'> {
  /** What stands below the field. */
  children?: ReactNode;
  /** What is to be typed, and the words that ask for it. */
  expected: string;
  ask: string;
  /** What will go. */
  hint: string;
}

/** Two steps before what cannot be taken back: what goes is said first, then its name is typed. */
export function TypedButton({ expected, ask, hint, send, children, ...dialog }: TypedProps) {
  const sendTyped = async ({ typed, ...values }: Record<string, string>): Promise<void> => {
    if (typed !== expected) throw refused('typed', ask);
    await send(values);
  };
  return (
    <FormButton {...dialog} className="danger" send={sendTyped}>
      <p>{hint}</p>
      <Field label={ask} name="typed" autoComplete="off" />
      {children}
    </FormButton>
  );
}
