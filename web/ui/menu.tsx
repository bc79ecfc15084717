import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

interface MenuProps {
  /** Its accessible name. */
  label: string;
  /** What the button shows, where that is not its name. */
  face?: ReactNode;
  /** Its panel holds items of a menu: the first has the focus, and arrows lead to the others. */
  isMenu?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button that shows a panel beneath it; Escape, a click beside it and its end close it. */
export function MenuButton({ label, face, isMenu = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    itemsOf(ref.current)[0]?.focus();
    const onDown = (event: PointerEvent): void => {
      if (!ref.current?.contains(event.target as Node)) setOpen(false);
    };
    // Wherever the focus is: some browsers give a clicked button none.
    const onEscape = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      button.current?.focus();
    };
    document.addEventListener('pointerdown', onDown);
    document.addEventListener('keydown', onEscape);
    return () => {
      document.removeEventListener('pointerdown', onDown);
      document.removeEventListener('keydown', onEscape);
    };
  }, [isOpen]);
  const onKey = (event: KeyboardEvent): void => {
    if (isMenu) moveBy(event, itemsOf(ref.current));
  };
  return (
    <div className="menu" ref={ref} onKeyDown={onKey}>
      <button
        ref={button}
        type="button"
        className="quiet"
        aria-expanded={isOpen}
        aria-haspopup={isMenu ? 'menu' : undefined}
        aria-label={label}
        onClick={() => setOpen(!isOpen)}
      >
        {face ?? label}
      </button>
      {isOpen && <div className="panel">{children(() => setOpen(false))}</div>}
    </div>
  );
}

const itemsOf = (panel: HTMLElement | null): HTMLElement[] => [
  ...(panel?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** As the pattern of a menu has it: arrows go round, Home and End to the ends. */
function moveBy(event: KeyboardEvent, items: readonly HTMLElement[]): void {
  const at = items.indexOf(document.activeElement as HTMLElement);
  const places: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? -1 : at - 1,
    Home: 0,
    End: -1,
  };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  items.at(place >= items.length ? 0 : place)?.focus();
}
