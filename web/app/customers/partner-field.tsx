import { useDeferredValue, useState } from 'react';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { Combobox } from '../../ui/combobox';
import { Problem } from '../../ui/page';
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
  const partners = found.data?.data ?? [];
  return (
    <>
      <Combobox
        label={text.app.customers.choosePartner}
        name={name}
        onType={setTyped}
        options={partners.map((one) => [one.id, `${one.partnerName}, ${one.partnerEmail}`])}
      />
      <Problem error={found.error} />
    </>
  );
}
