import { text } from '../text/en';
import { settings as words } from '../text/en/app/settings';
import { ActButton } from '../ui/ask';
import { inWords } from '../ui/format';
import { Section } from '../ui/page';
import { List } from '../ui/list';
import { When } from '../ui/values';

export function Receipts() {
  return (
    <Section title={words.receipts}>
      <List
        call="erasure.listReceipts"
        name="receiptsPage"
        caption={words.receipts}
        columns={[
          { title: words.kind, cell: ({ kind }) => inWords(kind) },
          { title: words.erasedAt, cell: ({ erased_at }) => <When at={erased_at} /> },
          { title: words.completedAt, cell: ({ completedAt }) => <When at={completedAt} /> },
        ]}
        empty={words.noReceipts}
      />
    </Section>
  );
}

export function Audit() {
  return (
    <Section title={words.audit}>
      <List
        call="workspace.listAuditLog"
        name="auditPage"
        caption={words.audit}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: words.who, cell: ({ actor }) => actor.email ?? inWords(actor.type) },
          {
            title: words.what,
            cell: ({ action }) => <span title={action}>{inWords(action)}</span>,
          },
          { title: words.whom, cell: ({ target }) => inWords(target.type) },
        ]}
        empty={text.nothing}
      />
    </Section>
  );
}

/** Addresses that no mail goes to any more, until somebody says that they work again. */
export function SuppressedAddresses() {
  return (
    <Section title={words.suppressed}>
      <List
        call="workspace.listSuppressedAddresses"
        name="suppressedPage"
        caption={words.suppressed}
        columns={[
          { title: text.email, cell: ({ email }) => email },
          { title: text.reason, cell: ({ reason }) => inWords(reason) },
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          {
            title: text.actions,
            // What somebody complained of they alone take back.
            cell: ({ id, reason }) =>
              reason === 'bounced' && (
                <ActButton
                  label={words.lift}
                  call="workspace.liftSuppressedAddress"
                  fields={{ suppressionId: id }}
                />
              ),
          },
        ]}
        empty={words.noSuppressed}
      />
    </Section>
  );
}
