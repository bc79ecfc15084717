import { useChange, useMay } from '../../session/use-session';
import { refused } from '../../session/refused';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Area, Field, Form } from '../../ui/form';
import { PartnerField } from './partner-field';
import type { Program } from '../../session/records';

const words = text.app.customers;

interface CreditProps {
  program: Program;
  label: string;
  /** Without one it is asked for. */
  customerId?: string;
}

/** Says who brought a customer; what they pay from then on follows. */
export function CreditCustomer({ program, label, customerId }: CreditProps) {
  const change = useChange();
  if (!useMay('admin') || program.status === 'archived') return null;
  return (
    <DialogButton label={label}>
      {(close) => (
        <Form
          submit={label}
          onSubmit={async ({ typed = '', participantId, reason }) => {
            const id = customerId ?? typed.trim();
            if (id === '') throw refused('customerId', words.id);
            if (!participantId) throw refused('participantId', words.noPartner);
            await change.mutateAsync({
              path: `/api/v1/programs/${program.id}/customers/${encodeURIComponent(id)}`,
              method: 'PUT',
              body: { participantId, reason },
            });
            close();
          }}
        >
          {(problem) => (
            <>
              <p>{words.creditHint}</p>
              {customerId === undefined && (
                <Field label={words.id} name="typed" problem={problem('customerId')} />
              )}
              <PartnerField
                programId={program.id}
                name="participantId"
                problem={problem('participantId')}
              />
              <Area label={text.reason} name="reason" problem={problem('reason')} />
            </>
          )}
        </Form>
      )}
    </DialogButton>
  );
}

/** Two steps: what goes is said first, then the buyer's id is typed. */
export function EraseBuyer({ customerId }: { customerId: string }) {
  const change = useChange();
  if (!useMay('admin')) return null;
  return (
    <DialogButton label={words.erase} className="danger">
      {(close) => (
        <Form
          submit={words.eraseForEver}
          onSubmit={async ({ typed }) => {
            if (typed !== customerId) throw refused('typed', words.typeId(customerId));
            const body = { customerId };
            await change.mutateAsync({
              path: '/api/v1/gdpr/customer-erasure',
              method: 'POST',
              body,
            });
            close();
          }}
        >
          {(problem) => (
            <>
              <p>{words.eraseWhat}</p>
              <Field
                label={words.typeId(customerId)}
                name="typed"
                autoComplete="off"
                problem={problem('typed')}
              />
            </>
          )}
        </Form>
      )}
    </DialogButton>
  );
}
