import { NumberField as Base } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';
import { useLabelled } from './plain-form';

interface NumberProps {
  label: string;
  name: string;
  hint?: string | undefined;
  /** What the API calls it, where that is not its name in the form. */
  field?: string;
  /** What is counted, such as `days`, behind the number. */
  unit?: string;
  defaultValue?: number | undefined;
  min?: number;
  max?: number;
}

/** A whole number, typed or changed by one; empty where nothing is filled in. */
export function NumberField({ label, hint, field, unit, ...rest }: NumberProps) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  const { id, ...described } = input;
  return around(
    <Base.Root {...rest} id={id} min={rest.min ?? 0} className="number-field">
      <Base.Group className="number-group">
        <Base.Decrement className="number-step" aria-label={`${label} −`}>
          <Minus size={14} aria-hidden="true" />
        </Base.Decrement>
        <Base.Input {...described} className="number-input" />
        {unit && <span className="number-unit">{unit}</span>}
        <Base.Increment className="number-step" aria-label={`${label} +`}>
          <Plus size={14} aria-hidden="true" />
        </Base.Increment>
      </Base.Group>
    </Base.Root>,
  );
}
