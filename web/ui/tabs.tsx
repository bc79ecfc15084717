import type { ReactNode } from 'react';
import { Tabs as Base } from '@base-ui/react/tabs';

export interface TabOf {
  value: string;
  words: string;
  /** How many stand behind it, in the reader's way. */
  count?: string | undefined;
}

interface TabsProps {
  label: string;
  tabs: readonly TabOf[];
  value: string;
  onChange: (value: string) => void;
  /** What the chosen tab shows. */
  children: ReactNode;
}

/** Parts of one list, one of which is shown; the address says which. */
export function Tabs({ label, tabs, value, onChange, children }: TabsProps) {
  return (
    <Base.Root className="tabs" value={value} onValueChange={(next) => onChange(String(next))}>
      <Base.List className="tab-list" aria-label={label}>
        {tabs.map((one) => (
          <Base.Tab key={one.value} value={one.value} className="tab">
            {one.words}
            {one.count !== undefined && <span className="tab-count">{one.count}</span>}
          </Base.Tab>
        ))}
      </Base.List>
      <Base.Panel value={value} className="tab-panel" tabIndex={-1}>
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
