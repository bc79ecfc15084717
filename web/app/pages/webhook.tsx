import { useState } from 'react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { inWords } from '../../ui/format';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Filter, Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Badge, Copyable, Facts, When } from '../../ui/values';

const words = text.app.developers;

interface Webhook {
  id: string;
  url: string;
  events: string[];
  active: boolean;
  disabledReason: string | null;
}

interface Delivery {
  id: string;
  eventType: string;
  status: string;
  attempts: number;
  httpStatusCode: number | null;
  errorMessage: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
}

const statuses = ['pending', 'retrying', 'succeeded', 'dead_letter', 'cancelled'] as const;

export default function WebhookPage() {
  const { webhookId = '' } = useParams({ strict: false }) as Record<string, string>;
  const path = `/api/v1/webhooks/${webhookId}`;
  const webhook = useApi<Webhook>(path);
  return (
    <Page title={words.webhook}>
      <Loaded query={webhook}>
        {(one) => (
          <>
            <Facts
              of={[
                [words.url, <code key="url">{one.url}</code>],
                [words.events, one.events.join(', ')],
                [text.status, <Badge key="s" status={one.active ? 'active' : 'paused'} />],
                [text.reason, one.disabledReason],
              ]}
            />
            <Act path={path} of={one} />
            <Deliveries path={path} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface Acted {
  success?: boolean;
  errorMessage?: string | null;
  signingSecret?: string;
  queued?: number;
}

function Act({ path, of: { active } }: { path: string; of: Webhook }) {
  const [said, setSaid] = useState<Acted>();
  const change = useChange<Acted>(setSaid);
  const navigate = useNavigate();
  if (!useMay('admin')) return null;
  const post = (action: string): void =>
    change.mutate({ path: `${path}/${action}`, method: 'POST', body: {} });
  return (
    <div className="selected">
      <button type="button" onClick={() => post('test-ping')}>
        {words.ping}
      </button>
      <button type="button" onClick={() => post('rotate-secret')}>
        {words.rotate}
      </button>
      <button type="button" onClick={() => post('deliveries/retry-dead-letters')}>
        {words.retryDead}
      </button>
      <button
        type="button"
        onClick={() => change.mutate({ path, method: 'PATCH', body: { active: !active } })}
      >
        {active ? words.pause : words.resume}
      </button>
      <button
        type="button"
        className="danger"
        onClick={() =>
          change.mutate(
            { path, method: 'DELETE' },
            { onSuccess: () => void navigate({ to: '/developers' }) },
          )
        }
      >
        {words.remove}
      </button>
      <p role="status">
        {said?.success === true && words.pingWell}
        {said?.success === false && words.pingBad(said.errorMessage ?? '')}
        {said?.queued !== undefined && words.queued(said.queued)}
      </p>
      {said?.signingSecret && <Copyable value={said.signingSecret} />}
      <Problem error={change.error} />
    </div>
  );
}

function Deliveries({ path }: { path: string }) {
  const { search } = useListSearch();
  const change = useChange();
  const may = useMay('admin');
  const list = useApi<Paged<Delivery>>(`${path}/deliveries`, {
    page: search.page,
    status: search['status'],
  });
  return (
    <Section title={words.deliveries}>
      <Filter
        name="status"
        label={text.status}
        options={statuses.map((one) => [one, inWords(one)] as const)}
      />
      <Problem error={change.error} />
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={words.deliveries}
              columns={[
                { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
                { title: words.kind, cell: ({ eventType }) => <code>{eventType}</code> },
                { title: text.status, cell: ({ status }) => <Badge status={status} /> },
                { title: words.attempts, isNumber: true, cell: ({ attempts }) => attempts },
                {
                  title: words.answer,
                  cell: (row) => row.errorMessage ?? row.httpStatusCode ?? text.nothing,
                },
                { title: words.next, cell: ({ nextAttemptAt }) => <When at={nextAttemptAt} /> },
                {
                  title: text.actions,
                  cell: ({ id, status }) =>
                    may && (
                      <button
                        type="button"
                        onClick={() =>
                          change.mutate({
                            path: `${path}/deliveries/${id}/${status === 'dead_letter' ? 'retry' : 'replay'}`,
                            method: 'POST',
                            body: {},
                          })
                        }
                      >
                        {words.replay}
                      </button>
                    ),
                },
              ]}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noDeliveries}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
