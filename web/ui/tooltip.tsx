import type { ReactElement } from 'react';
import { Tooltip as Base } from '@base-ui/react/tooltip';

interface TipProps {
  /** What the thing under the mouse or the focus is. */
  says: string;
  side?: 'top' | 'right' | 'bottom';
  /** Something that takes the focus. */
  children: ReactElement;
}

/** A word on something that shows only a sign; it never says what the page does not say otherwise. */
export function Tip({ says, side = 'top', children }: TipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className="floating" side={side} sideOffset={6}>
          <Base.Popup className="tip">{says}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
