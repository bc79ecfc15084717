import { useState, type ReactNode } from 'react';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { text } from '../text/en';

interface DialogProps {
  title: string;
  onClose: () => void;
  /** True for a dialog as wide as a table in it wants. */
  isWide?: boolean | undefined;
  children: ReactNode;
}

/** Keeps the focus, ends with Escape and covers the page; a click beside it loses nothing typed. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps) {
  return (
    <Base.Root open disablePointerDismissal onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="backdrop" />
        <Base.Viewport className="dialog-place">
          <Base.Popup className={isWide ? 'dialog wide' : 'dialog'}>
            <header className="dialog-head">
              <Base.Title>{title}</Base.Title>
              <Base.Close className="quiet icon-button" aria-label={text.close}>
                <X size={16} aria-hidden="true" />
              </Base.Close>
            </header>
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

interface OpenerProps {
  label: ReactNode;
  /** Its accessible name, where a list has the same button in each row. */
  name?: string | undefined;
  /** The dialog's title, where that is not the button's words. */
  title?: string | undefined;
  className?: string | undefined;
  disabled?: boolean;
  isWide?: boolean | undefined;
  /** Open from the beginning, where one came for it. */
  isAskedFor?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button and the dialog that it opens. */
export function DialogButton({
  label,
  name,
  title = typeof label === 'string' ? label : (name ?? ''),
  isWide,
  isAskedFor = false,
  children,
  ...button
}: OpenerProps) {
  const [isOpen, setOpen] = useState(isAskedFor);
  const close = (): void => setOpen(false);
  return (
    <>
      <button type="button" {...button} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <Dialog title={title} isWide={isWide} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}
