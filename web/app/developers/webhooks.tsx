import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { developers as words } from '../../text/en/app/developers';
import { DialogButton } from '../../ui/dialog';
import { Field, Form, Ticks } from '../../ui/form';
import { Section } from '../../ui/page';
import { List } from '../../ui/list';
import { Badge, Long, ShownOnce } from '../../ui/values';
import { askedKinds, kindsOf } from './event-kinds';

export function Webhooks() {
  const may = useMay('admin');
  return (
    <Section title={words.webhooks} actions={may && <NewWebhook />}>
      <List
        call="webhooks.list"
        name="webhooksPage"
        caption={words.webhooks}
        columns={[
          {
            title: words.url,
            cell: ({ id, url }) => (
              <Link to={`/developers/webhooks/${id}`}>
                <Long of={url} />
              </Link>
            ),
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

function NewWebhook() {
  return (
    <DialogButton label={words.newWebhook}>{(close) => <WebhookForm close={close} />}</DialogButton>
  );
}

function WebhookForm({ close }: { close: () => void }) {
  const [secret, setSecret] = useState<string>();
  const create = useChange('webhooks.create', ({ signingSecret }) => setSecret(signingSecret));
  if (secret !== undefined) {
    return <ShownOnce hint={words.secretOnce} value={secret} onSeen={close} />;
  }
  return (
    <Form
      submit={words.newWebhook}
      onSubmit={({ url = '', events = '' }) => create.mutateAsync({ url, events: kindsOf(events) })}
    >
      <Field label={words.url} name="url" type="url" />
      <Ticks
        label={words.events}
        name="events"
        options={askedKinds}
        chosen={['commission.created', 'commission.approved', 'commission.paid']}
      />
    </Form>
  );
}
