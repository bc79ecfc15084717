import { useDeferredValue, useState } from 'react';
import { useAnswer } from '../../session/use-session';
import { customers as customersWords } from '../../text/en/app/customers';
import { Combobox } from '../../ui/combobox';
import { Problem } from '../../ui/page';

interface PartnerFieldProps {
  programId: string;
  name: string;
}

/** One approved partner of a programme: found by what is typed, then chosen. */
export function PartnerField({ programId, name }: PartnerFieldProps) {
  const [typed, setTyped] = useState('');
  const search = useDeferredValue(typed);
  const found = useAnswer('partners.list', {
    ...{ programId, status: 'approved', search, limit: 20 },
    ...{ sortBy: 'partnerName', sortOrder: 'asc' },
  });
  const partners = found.data?.data ?? [];
  return (
    <>
      <Combobox
        label={customersWords.choosePartner}
        name={name}
        onType={setTyped}
        options={partners.map((one) => [one.id, `${one.partnerName}, ${one.partnerEmail}`])}
      />
      <Problem error={found.error} />
    </>
  );
}
