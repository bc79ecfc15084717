import { useDeferredValue, useState } from 'react';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Choice, Field } from '../../ui/form';
import { Loaded } from '../../ui/page';
import type { Paged } from '../../ui/table';
import type { Participant } from '../../session/records';

interface PartnerFieldProps {
  programId: string;
  name: string;
}

/** One approved partner of a programme: found by what is typed, then chosen. */
export function PartnerField({ programId, name }: PartnerFieldProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const found = useApi<Paged<Participant>>(`/api/v1/programs/${programId}/partners`, {
    ...{ status: 'approved', search, sortBy: 'partnerName', sortOrder: 'asc', limit: 20 },
  });
  return (
    <>
      <Field
        label={text.app.customers.choosePartner}
        type="search"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Loaded query={found}>
        {({ data }) => (
          <Choice
            label={text.partner}
            name={name}
            options={data.map(
              ({ id, partnerName, partnerEmail }) =>
                [id, `${partnerName}, ${partnerEmail}`] as const,
            )}
          />
        )}
      </Loaded>
    </>
  );
}
