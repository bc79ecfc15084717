import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';

/** Values and their words, as a list to choose from. */
export type Options<T extends string = string> = readonly (readonly [value: T, words: string])[];

interface SelectProps<T extends string> {
  id?: string | undefined;
  name?: string | undefined;
  /** What is chosen, where the page says it; else `defaultValue`, else the first. */
  value?: T | undefined;
  defaultValue?: T | undefined;
  options: Options<T>;
  disabled?: boolean | undefined;
  onChange?: ((value: T) => void) | undefined;
  'aria-label'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
  'aria-describedby'?: string | undefined;
}

/** One of a few, as a button that shows the choice and opens the list. */
export function Select<T extends string>({
  name,
  value,
  defaultValue,
  options,
  disabled = false,
  onChange,
  ...trigger
}: SelectProps<T>) {
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
      onValueChange={(next) => next !== null && onChange?.(next)}
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
