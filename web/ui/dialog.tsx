import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { text } from '../text/en';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** The browser's own dialog: it keeps the focus, ends with Escape and covers the page. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => ref.current?.showModal(), []);
  return (
    <dialog ref={ref} aria-labelledby={id} onClose={onClose}>
      <header className="section-head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          className="quiet"
          aria-label={text.close}
          onClick={() => ref.current?.close()}
        >
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}

interface OpenerProps {
  label: string;
  /** Its accessible name, where a list has the same button in each row. */
  name?: string | undefined;
  title?: string;
  className?: string | undefined;
  disabled?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button and the dialog that it opens. */
export function DialogButton({ label, name, title = label, children, ...button }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" {...button} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
