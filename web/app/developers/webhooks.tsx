import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../session/records';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Field, Form, Ticks } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Badge, Copyable } from '../../ui/values';
import { eventKinds } from './event-kinds';

const words = text.app.developers;

export function Webhooks() {
  const { search } = useListSearch();
  const may = useMay('admin');
  const path = '/api/v1/webhooks';
  const list = useApi<Paged<Webhook>>(path, { page: search['webhooksPage'] });
  return (
    <Section title={words.webhooks} actions={may && <NewWebhook path={path} />}>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={words.webhooks}
              columns={[
                {
                  title: words.url,
                  cell: ({ id, url }) => <Link to={`/developers/webhooks/${id}`}>{url}</Link>,
                },
                { title: words.events, cell: ({ events }) => events.join(', ') },
                {
                  title: text.status,
                  cell: ({ active }) => <Badge status={active ? 'active' : 'paused'} />,
                },
              ]}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noWebhooks}
            />
            <Pager of={found} name="webhooksPage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function NewWebhook({ path }: { path: string }) {
  return (
    <DialogButton label={words.newWebhook}>
      {(close) => <WebhookForm path={path} close={close} />}
    </DialogButton>
  );
}

function WebhookForm({ path, close }: { path: string; close: () => void }) {
  const [secret, setSecret] = useState<string>();
  const change = useChange<{ signingSecret: string }>(({ signingSecret }) =>
    setSecret(signingSecret),
  );
  if (secret !== undefined) {
    return (
      <>
        <p>{words.secretOnce}</p>
        <Copyable value={secret} />
        <div className="form-end">
          <button type="button" className="primary" onClick={close}>
            {text.keys.seen}
          </button>
        </div>
      </>
    );
  }
  return (
    <Form
      submit={words.newWebhook}
      onSubmit={({ url, events = '' }) => {
        const named = events.split(',').filter(Boolean);
        return change.mutateAsync({ path, method: 'POST', body: { url, events: named } });
      }}
    >
      {(problem) => (
        <>
          <Field label={words.url} name="url" type="url" problem={problem('url')} />
          <Ticks
            label={words.events}
            name="events"
            options={eventKinds}
            chosen={['commission.created', 'commission.approved', 'commission.paid']}
            problem={problem('events')}
          />
        </>
      )}
    </Form>
  );
}
