import { useEffect, useRef, useState, type ReactNode } from 'react';

interface MenuProps {
  /** Its accessible name. */
  label: string;
  /** What the button shows, where that is not its name. */
  face?: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that shows a panel beneath it; Escape, a click beside it and its end close it. */
export function MenuButton({ label, face, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') setOpen(false);
    };
    const onDown = (event: PointerEvent): void => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onDown);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onDown);
    };
  }, [isOpen]);
  return (
    <div className="menu" ref={ref}>
      <button
        type="button"
        className="quiet"
        aria-expanded={isOpen}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {face ?? label}
      </button>
      {isOpen && <div className="panel">{children(() => setOpen(false))}</div>}
    </div>
  );
}
