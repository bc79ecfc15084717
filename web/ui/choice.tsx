import { useLabelled, type LabelProps } from './plain-form';
import { Select, type Options } from './select';

interface ChoiceProps extends LabelProps {
  name?: string;
  options: Options;
  value?: string | undefined;
  defaultValue?: string | undefined;
  disabled?: boolean;
  onChange?: (event: { target: { value: string } }) => void;
}

/** One of a few, with its label. */
export function Choice({ label, hint, field, onChange, ...rest }: ChoiceProps) {
  const { input, around } = useLabelled({ label, hint, field: field ?? rest.name });
  return around(
    <Select {...rest} {...input} onChange={(value) => onChange?.({ target: { value } })} />,
  );
}
