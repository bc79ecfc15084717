import { useId } from 'react';
import { Switch as Base } from '@base-ui/react/switch';

interface SwitchProps {
  label: string;
  name?: string;
  hint?: string | undefined;
  checked?: boolean;
  defaultChecked?: boolean;
  disabled?: boolean;
  onChange?: (isOn: boolean) => void;
}

/** Something that is on or off: in a form `true` or `false`. */
export function Switch({ label, name, hint, onChange, ...state }: SwitchProps) {
  const id = useId();
  return (
    <div className="field switch-field">
      <Base.Root
        {...state}
        id={id}
        name={name}
        value="true"
        uncheckedValue="false"
        className="switch"
        aria-describedby={hint && `${id}-hint`}
        onCheckedChange={(isOn) => onChange?.(isOn)}
      >
        <Base.Thumb className="switch-thumb" />
      </Base.Root>
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className="hint">
          {hint}
        </p>
      )}
    </div>
  );
}
