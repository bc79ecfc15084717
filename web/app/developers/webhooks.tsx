import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Webhook } from '../../session/records';
import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Field, Form, Ticks } from '../../ui/form';
import { Section } from '../../ui/page';
import { List } from '../../ui/table';
import { ShownOnce, Badge } from '../../ui/values';
import { eventKinds } from './event-kinds';

const words = text.app.developers;

export function Webhooks() {
  const may = useMay('admin');
  const path = '/api/v1/webhooks';
  return (
    <Section title={words.webhooks} actions={may && <NewWebhook path={path} />}>
      <List<Webhook>
        path={path}
        name="webhooksPage"
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
        empty={words.noWebhooks}
      />
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
    return <ShownOnce hint={words.secretOnce} value={secret} onSeen={close} />;
  }
  return (
    <Form
      submit={words.newWebhook}
      onSubmit={({ url, events = '' }) => {
        const named = events.split(',').filter(Boolean);
        return change.mutateAsync({ path, method: 'POST', body: { url, events: named } });
      }}
    >
      <Field label={words.url} name="url" type="url" />
      <Ticks
        label={words.events}
        name="events"
        options={eventKinds}
        chosen={['commission.created', 'commission.approved', 'commission.paid']}
      />
    </Form>
  );
}
