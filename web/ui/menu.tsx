import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Popover as Base } from '@base-ui/react/popover';

interface MenuProps {
  /** Its accessible name. */
  label: string;
  /** What the button shows, where that is not its name. */
  face?: ReactNode;
  className?: string;
  /** Its panel holds items of a menu: the first has the focus, and arrows lead to the others. */
  isMenu?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button that shows a panel beneath it; Escape, a click beside it and its end close it. */
export function MenuButton({ label, face, className = 'quiet', isMenu, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const panel = useRef<HTMLDivElement>(null);
  const close = (): void => setOpen(false);
  return (
    <Base.Root open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger className={className} aria-label={label} {...(isMenu && asMenu)}>
        {face ?? label}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={6} align="end">
          <Base.Popup
            ref={panel}
            className="panel"
            aria-label={label}
            role={isMenu ? 'presentation' : 'dialog'}
            initialFocus={() => (isMenu ? itemsOf(panel.current)[0] : undefined) ?? true}
            onKeyDown={(event) => isMenu && moveBy(event, itemsOf(panel.current))}
          >
            {children(close)}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const asMenu = { 'aria-haspopup': 'menu' } as const;

const itemsOf = (panel: HTMLElement | null): HTMLElement[] => [
  ...(panel?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? []),
];

/** Moves the focus by the pattern of a menu: arrows go round, Home and End go to the ends. */
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
