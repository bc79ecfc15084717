import { useLabelled, type LabelProps } from './plain-form';
import { Select, type Options } from './select';

interface ChoiceProps<T extends string> extends LabelProps {
  name?: string;
  options: Options<T>;
  value?: T | undefined;
  defaultValue?: T | undefined;
  disabled?: boolean;
  onChange?: (event: { target: { value: T } }) => void;
}

/** One of a few, with its label. */
export function Choice<T extends string>({
  label,
  hint,
  field,
  onChange,
  ...rest
}: ChoiceProps<T>) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(
    <Select {...rest} {...input} onChange={(value) => onChange?.({ target: { value } })} />,
  );
}
