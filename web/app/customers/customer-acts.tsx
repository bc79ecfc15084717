import { useChange, useMay } from '../../session/use-session';
import { refused } from '../../session/refused';
import { text } from '../../text/en';
import { customers as words } from '../../text/en/app/customers';
import { TypedButton, FormButton } from '../../ui/ask';
import { Area, Field } from '../../ui/plain-form';
import { PartnerField } from './partner-field';
import type { Program } from '../../session/records';

interface CreditProps {
  program: Program;
  label: string;
  /** The customer; without one the form asks for it. */
  customerId?: string;
}

/** Says who brought a customer; what they pay from then on follows. */
export function CreditCustomer({ program, label, customerId }: CreditProps) {
  const bind = useChange('customers.bind');
  if (!useMay('admin') || program.status === 'archived') return null;
  return (
    <FormButton
      label={label}
      send={async ({ typed = '', participantId, reason = '' }) => {
        const id = customerId ?? typed.trim();
        if (id === '') throw refused('customerId', words.id);
        if (!participantId) throw refused('participantId', words.noPartner);
        const customer = { programId: program.id, customerId: id };
        await bind.mutateAsync({ ...customer, participantId, reason });
      }}
    >
      <p>{words.creditHint}</p>
      {customerId === undefined && <Field label={words.id} name="typed" field="customerId" />}
      <PartnerField programId={program.id} name="participantId" />
      <Area label={text.reason} name="reason" />
    </FormButton>
  );
}

/** Two steps: what goes is said first, then the buyer's id is typed. */
export function EraseBuyer({ customerId }: { customerId: string }) {
  const erase = useChange('erasure.eraseCustomer');
  if (!useMay('admin')) return null;
  return (
    <TypedButton
      label={words.erase}
      submit={words.eraseForEver}
      expected={customerId}
      ask={words.typeId(customerId)}
      hint={words.eraseWhat}
      send={() => erase.mutateAsync({ customerId })}
    />
  );
}
