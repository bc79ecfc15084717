import { useState } from 'react';
import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useLabelled } from './plain-form';
import type { Options } from './select';
import { text } from '../text/en';

interface ComboboxProps {
  label: string;
  /** The name of the form's value: that of the chosen one, or nothing. */
  name: string;
  hint?: string | undefined;
  /** What the API calls it, where that is not its name in the form. */
  field?: string | undefined;
  options: Options;
  defaultValue?: string | undefined;
  placeholder?: string;
  /** Where the options are asked for: what was typed. Without it the given ones are narrowed here. */
  onType?: (typed: string) => void;
  onChange?: (value: string) => void;
}

type Item = { value: string; label: string };

/** One of many, found by what is typed. */
export function Combobox({
  label,
  hint,
  field,
  options,
  onType,
  onChange,
  ...rest
}: ComboboxProps) {
  const { name, defaultValue, placeholder } = rest;
  const { input, around } = useLabelled({ label, hint, field: field ?? name });
  const items: Item[] = options.map(([value, words]) => ({ value, label: words }));
  const [chosen, setChosen] = useState<Item | null>(
    items.find(({ value }) => value === defaultValue) ?? null,
  );
  const choose = (next: Item | null): void => {
    setChosen(next);
    onChange?.(next?.value ?? '');
  };
  return around(
    <>
      <input type="hidden" name={name} value={chosen?.value ?? ''} />
      <Base.Root
        items={items}
        value={chosen}
        {...(onType && { filter: null })}
        isItemEqualToValue={(one: Item, other: Item) => one.value === other.value}
        onValueChange={choose}
        onInputValueChange={(typed) => onType?.(typed === chosen?.label ? '' : typed)}
      >
        <Base.InputGroup className="combobox">
          <Base.Input {...input} className="combobox-input" placeholder={placeholder} />
          <Base.Trigger className="combobox-open" aria-label={text.open(label)}>
            <ChevronsUpDown size={14} aria-hidden="true" />
          </Base.Trigger>
        </Base.InputGroup>
        <Base.Portal>
          <Base.Positioner className="floating" sideOffset={4}>
            <Base.Popup className="options">
              <Base.Empty className="options-empty">{text.noneFits}</Base.Empty>
              <Base.List>
                {(item: Item) => (
                  <Base.Item key={item.value} value={item} className="option">
                    <span>{item.label}</span>
                    <Base.ItemIndicator className="option-mark">
                      <Check size={14} aria-hidden="true" />
                    </Base.ItemIndicator>
                  </Base.Item>
                )}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </>,
  );
}
