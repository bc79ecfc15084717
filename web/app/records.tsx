import type { AuditEntryDto, ReceiptDto, SuppressedAddressDto } from '../session/records';
import { useApi } from '../session/use-session';
import { text } from '../text/en';
import { ActButton } from '../ui/ask';
import { inWords } from '../ui/format';
import { Loaded, Section } from '../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../ui/table';
import { When } from '../ui/values';

const words = text.app.settings;

export function Receipts() {
  const { search } = useListSearch();
  const receipts = useApi<Paged<ReceiptDto>>('/api/v1/gdpr/receipts', {
    page: search['receiptsPage'],
  });
  return (
    <Section title={words.receipts}>
      <Loaded query={receipts}>
        {(found) => (
          <>
            <Table
              caption={words.receipts}
              columns={[
                { title: words.kind, cell: ({ kind }) => inWords(kind) },
                { title: words.erasedAt, cell: ({ erased_at }) => <When at={erased_at} /> },
                { title: words.completedAt, cell: ({ completedAt }) => <When at={completedAt} /> },
              ]}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noReceipts}
            />
            <Pager of={found} name="receiptsPage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function Audit() {
  const { search } = useListSearch();
  const lines = useApi<Paged<AuditEntryDto>>('/api/v1/workspace/audit-log', {
    page: search['auditPage'],
  });
  return (
    <Section title={words.audit}>
      <Loaded query={lines}>
        {(found) => (
          <>
            <Table
              caption={words.audit}
              columns={[
                { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
                { title: words.who, cell: ({ actor }) => actor.email ?? inWords(actor.type) },
                { title: words.what, cell: ({ action }) => <code>{action}</code> },
                { title: words.whom, cell: ({ target }) => inWords(target.type) },
              ]}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={text.nothing}
            />
            <Pager of={found} name="auditPage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Addresses that no mail goes to any more, until somebody says that they work again. */
export function SuppressedAddresses() {
  const { search } = useListSearch();
  const path = '/api/v1/workspace/suppressed-addresses';
  const list = useApi<Paged<SuppressedAddressDto>>(path, { page: search['suppressedPage'] });
  return (
    <Section title={words.suppressed}>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
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
                        call={{ path: `${path}/${id}`, method: 'DELETE' }}
                      />
                    ),
                },
              ]}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noSuppressed}
            />
            <Pager of={found} name="suppressedPage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}
