import { useDeferredValue, useState } from 'react';
import { useAnswer } from '../../session/use-session';
import { customers as customersWords } from '../../text/en/app/customers';
import { programme as words } from '../../text/en/app/programme';
import { Field } from '../../ui/plain-form';
import { Loaded } from '../../ui/page';

interface PartnerTicksProps {
  programId: string;
  /** The name of the field that holds the chosen ids, joined by commas. */
  name: string;
  chosen: readonly string[];
}

/** Any number of a programme's partners; none stands for all. */
export function PartnerTicks({ programId, name, chosen: before }: PartnerTicksProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(before));
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const found = useAnswer('partners.list', {
    ...{ programId, search, limit: 10 },
    ...{ sortBy: 'partnerName', sortOrder: 'asc' },
  });
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  return (
    <fieldset className="ticks">
      <legend>{words.onlyPartners}</legend>
      <input type="hidden" name={name} value={[...chosen].join(',')} />
      <Field
        label={customersWords.choosePartner}
        type="search"
        value={typed}
        hint={chosen.size === 0 ? words.allPartners : words.partnersChosen(chosen.size)}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Loaded query={found}>
        {({ data }) => (
          <>
            {data.map(({ id, partnerName }) => (
              <label key={id}>
                <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id)} />
                {partnerName}
              </label>
            ))}
          </>
        )}
      </Loaded>
    </fieldset>
  );
}
