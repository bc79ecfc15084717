import { useDeferredValue, useState } from 'react';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Field } from '../../ui/plain-form';
import { Loaded } from '../../ui/page';
import type { Paged } from '../../ui/table';
import type { Participant } from '../../session/records';

const words = text.app.programme;

interface PartnerTicksProps {
  programId: string;
  /** Of the field that holds the chosen ids, joined by commas. */
  name: string;
  chosen: readonly string[];
}

/** Any number of a programme's partners; none stands for all. */
export function PartnerTicks({ programId, name, chosen: before }: PartnerTicksProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(before));
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const found = useApi<Paged<Participant>>(`/api/v1/programs/${programId}/partners`, {
    ...{ search, sortBy: 'partnerName', sortOrder: 'asc', limit: 10 },
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
        label={text.app.customers.choosePartner}
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
