import { useState } from 'react';
import { programme as words } from '../../text/en/app/programme';
import { Choice, Field } from '../../ui/form';
import type { Earning } from '../../ui/terms';
import { typedEarning } from './terms';

interface EarningProps {
  earning: Earning | undefined;
  currency: string;
  /** What the API calls the amount or the share. */
  fields: Record<Exclude<Earning['type'], 'none'>, string>;
  /** A rule may also say that a sale earns nothing. */
  mayBeNothing?: boolean;
}

/** What a sale earns, by the programme or by a rule. */
export function EarningFields({ earning, currency, fields, mayBeNothing }: EarningProps) {
  const types = Object.entries(words.types).filter(([type]) => mayBeNothing || type !== 'none');
  const [type, setType] = useState(earning?.type ?? 'percentage');
  return (
    <>
      <Choice
        label={words.type}
        name="type"
        value={type}
        onChange={({ target }) => setType(target.value as 'flat')}
        options={types}
      />
      {type !== 'none' && (
        <Field
          label={type === 'percentage' ? words.percent : words.commission}
          name="earned"
          inputMode="decimal"
          defaultValue={earning && typedEarning(earning, currency)}
          field={fields[type]}
        />
      )}
      {type === 'percentage' && (
        <Choice
          label={words.basis}
          name="basis"
          defaultValue={earning?.basis ?? 'gross'}
          options={Object.entries(words.bases)}
        />
      )}
    </>
  );
}
