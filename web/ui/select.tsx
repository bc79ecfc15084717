import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';

/** Values and their words, as a list to choose from. */
export type Options = readonly (readonly [value: string, words: string])[];

interface SelectProps {
  id?: string | undefined;
  name?: string | undefined;
  /** What is chosen, where the page says it; else `defaultValue`, else the first. */
  value?: string | undefined;
  defaultValue?: string | undefined;
  options: Options;
  disabled?: boolean | undefined;
  onChange?: ((value: string) => void) | undefined;
  'aria-label'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** One of a few, as a button that shows the choice and opens the list. */
export function Select({
  name,
  value,
  defaultValue,
  options,
  disabled = false,
  onChange,
  ...trigger
}: SelectProps) {
  const items = options.map(([one, label]) => ({ value: one, label }));
  const chosen =
    value === undefined ? { defaultValue: defaultValue ?? options[0]?.[0] ?? null } : { value };
  return (
    <Base.Root
      {...chosen}
      items={items}
      name={name}
      disabled={disabled}
      modal={false}
      onValueChange={(next) => onChange?.(String(next))}
    >
      <Base.Trigger className="select" {...trigger}>
        <Base.Value className="select-value" />
        <Base.Icon className="select-icon">
          <ChevronsUpDown size={14} aria-hidden="true" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="floating" sideOffset={4} alignItemWithTrigger={false}>
          <Base.Popup className="options">
            <Base.List>
              {items.map(({ value: one, label }) => (
                <Base.Item key={one} value={one} className="option">
                  <Base.ItemText>{label}</Base.ItemText>
                  <Base.ItemIndicator className="option-mark">
                    <Check size={14} aria-hidden="true" />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
