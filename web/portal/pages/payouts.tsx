import { useState } from 'react';
import { useApi, useChange } from '../../session/use-session';
import { Password } from '../../account/personal';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Choice, Field, Form, type Problems } from '../../ui/form';
import { Loaded, Page, Section } from '../../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';

const words = text.portal.payouts;

interface PayoutRow {
  id: string;
  amountCents: number;
  currency: string;
  status: string;
  createdAt: string;
}

export default function PayoutsPage() {
  const { search } = useListSearch();
  const list = useApi<Paged<PayoutRow>>('/api/v1/partner/payouts', { page: search.page });
  return (
    <Page title={text.portal.nav.payouts}>
      <Method />
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={text.portal.nav.payouts}
              columns={[
                { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
                { title: text.status, cell: ({ status }) => <Badge status={status} /> },
                {
                  title: text.amount,
                  isNumber: true,
                  cell: ({ amountCents, currency }) => (
                    <Money cents={amountCents} currency={currency} />
                  ),
                },
              ]}
              rows={found.data}
              rowKey={({ id, currency }) => id + currency}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const path = '/api/v1/partner/payout-method';

interface MethodAnswer {
  method: { type: string; label?: string; email?: string; last4?: string } | null;
}

function Method() {
  const method = useApi<MethodAnswer>(path);
  const isSet = Boolean(method.data?.method);
  return (
    <Section
      title={words.method}
      actions={
        <>
          <DialogButton label={words.change}>
            {(close) => <ChangeMethod close={close} />}
          </DialogButton>
          {isSet && (
            <DialogButton label={words.remove}>
              {(close) => <RemoveMethod close={close} />}
            </DialogButton>
          )}
        </>
      }
    >
      <Loaded query={method}>
        {({ method: now }) => (
          <p>
            {now
              ? (now.label ?? [now.type, now.email, now.last4].filter(Boolean).join(' '))
              : words.noMethod}
          </p>
        )}
      </Loaded>
    </Section>
  );
}

function RemoveMethod({ close }: { close: () => void }) {
  const change = useChange();
  return (
    <Form
      submit={words.remove}
      onSubmit={async ({ password }) => {
        await change.mutateAsync({ path, method: 'DELETE', body: { password } });
        close();
      }}
    >
      {(problem) => (
        <>
          <p>{words.removeHint}</p>
          <Password problem={problem('password')} />
        </>
      )}
    </Form>
  );
}

type Kind = 'paypal' | 'wise' | 'bank' | 'other';

const fields: Record<Kind, readonly string[]> = {
  paypal: ['email'],
  wise: ['email', 'name'],
  bank: ['holder', 'country', 'iban', 'accountNumber', 'routingNumber', 'bic'],
  other: ['text'],
};

function ChangeMethod({ close }: { close: () => void }) {
  const change = useChange();
  const [kind, setKind] = useState<Kind>('paypal');
  const submit = async ({ password, ...typed }: Record<string, string>): Promise<void> => {
    const given = Object.entries(typed).filter(
      ([name, value]) => fields[kind].includes(name) && value !== '',
    );
    const body = { method: { type: kind, ...Object.fromEntries(given) }, password };
    await change.mutateAsync({ path, method: 'PUT', body });
    close();
  };
  return (
    <Form submit={text.save} onSubmit={submit}>
      {(problem) => (
        <>
          <Choice
            label={words.kind}
            name="type"
            value={kind}
            onChange={({ target }) => setKind(target.value as Kind)}
            options={(['paypal', 'wise', 'bank', 'other'] as const).map(
              (one) => [one, words.kinds[one]] as const,
            )}
          />
          <MethodFields kind={kind} problem={problem} />
          <Password problem={problem('password')} />
        </>
      )}
    </Form>
  );
}

function MethodFields({ kind, problem }: { kind: Kind; problem: Problems }) {
  const labels: Record<string, string> = words.fields;
  return fields[kind].map((name) => (
    <Field
      key={name}
      label={labels[name] ?? name}
      name={name}
      problem={problem(`method.${name}`)}
    />
  ));
}
