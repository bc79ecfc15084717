import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useAccount, useApi, useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { inWords } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Table, type Paged } from '../../ui/table';
import { Badge, Copyable, When } from '../../ui/values';
import { Stripe, StripeEvents } from '../stripe';
import { refused } from '../../session/refused';

const words = text.app.developers;

export default function DevelopersPage() {
  const may = useMay('admin');
  return (
    <Page title={words.title}>
      {may ? (
        <>
          <Keys />
          <Webhooks />
          <Stripe />
          <StripeEvents />
          <TestMails />
          <ResetTestData />
        </>
      ) : (
        <p>{text.notAllowed}</p>
      )}
      <p>
        <a href="/api/docs">{words.reference}</a>
      </p>
    </Page>
  );
}

interface Key {
  id: string;
  kind: string;
  mode: string;
  name: string | null;
  role: string | null;
  prefix: string;
  last4: string;
  key?: string;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
}

function Keys() {
  const path = '/api/v1/workspace/api-keys';
  const keys = useApi<Paged<Key>>(path, { limit: 100 });
  const change = useChange();
  return (
    <Section title={words.keys} actions={<NewKey path={path} />}>
      <Problem error={change.error} />
      <Loaded query={keys}>
        {({ data }) => (
          <Table
            caption={words.keys}
            columns={[
              {
                title: words.kind,
                cell: ({ kind, role }) =>
                  role ? `${inWords(kind)}, ${inWords(role)}` : inWords(kind),
              },
              { title: text.mode, cell: ({ mode }) => inWords(mode) },
              { title: text.name, cell: ({ name }) => name ?? text.nothing },
              {
                title: words.key,
                cell: ({ key, prefix, last4 }) =>
                  key ? <Copyable value={key} /> : <code>{`${prefix}…${last4}`}</code>,
              },
              { title: words.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
              {
                title: text.actions,
                cell: ({ id, revokedAt }) =>
                  revokedAt ? (
                    words.revoked
                  ) : (
                    <button
                      type="button"
                      onClick={() =>
                        change.mutate({ path: `${path}/${id}/revoke`, method: 'POST', body: {} })
                      }
                    >
                      {words.revoke}
                    </button>
                  ),
              },
            ]}
            rows={data}
            rowKey={({ id }) => id}
            empty={text.nothing}
          />
        )}
      </Loaded>
    </Section>
  );
}

/** The key is shown in the dialog that made it, and never again. */
function NewKey({ path }: { path: string }) {
  return (
    <DialogButton label={words.newKey}>
      {(close) => <NewKeyForm path={path} close={close} />}
    </DialogButton>
  );
}

function NewKeyForm({ path, close }: { path: string; close: () => void }) {
  const mode = useMode();
  const [made, setMade] = useState<string>();
  const change = useChange<Key>(({ key }) => setMade(key));
  if (made !== undefined) {
    return (
      <>
        <p>{words.shownOnce}</p>
        <Copyable value={made} />
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
      submit={words.newKey}
      onSubmit={({ kind, name, role }) => {
        const ofManagement = kind === 'management' ? { role } : {};
        const body = { kind, mode, ...ofManagement, ...(name && { name }) };
        return change.mutateAsync({ path, method: 'POST', body });
      }}
    >
      {(problem) => (
        <>
          <Choice
            label={words.kind}
            name="kind"
            options={(['secret', 'public', 'management'] as const).map(
              (one) => [one, words.kinds[one]] as const,
            )}
          />
          <Choice
            label={words.roleOfKey}
            name="role"
            options={(['viewer', 'member', 'admin'] as const).map(
              (one) => [one, text.roles[one]] as const,
            )}
          />
          <Field label={text.name} name="name" problem={problem('name')} />
        </>
      )}
    </Form>
  );
}

interface Webhook {
  id: string;
  url: string;
  events: string[];
  active: boolean;
  disabledReason: string | null;
}

function Webhooks() {
  const path = '/api/v1/webhooks';
  const list = useApi<Paged<Webhook>>(path, { limit: 100 });
  return (
    <Section title={words.webhooks} actions={<NewWebhook path={path} />}>
      <Loaded query={list}>
        {({ data }) => (
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
            rows={data}
            rowKey={({ id }) => id}
            empty={words.noWebhooks}
          />
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
        const named = events.split(/[\s,]+/).filter(Boolean);
        return change.mutateAsync({ path, method: 'POST', body: { url, events: named } });
      }}
    >
      {(problem) => (
        <>
          <Field label={words.url} name="url" type="url" problem={problem('url')} />
          <Field
            label={words.events}
            name="events"
            defaultValue="commission.created, commission.approved, commission.paid"
            problem={problem('events')}
          />
        </>
      )}
    </Form>
  );
}

interface TestMail {
  id: string;
  status: string;
  recipient: string;
  subject: string;
  createdAt: string;
}

function TestMails() {
  const mode = useMode();
  const mails = useApi<{ data: TestMail[] }>('/api/v1/workspace/notification-log', {
    pageSize: 20,
  });
  if (mode === 'live' || !mails.data?.data.length) return null;
  return (
    <Section title={words.testMails}>
      <Table
        caption={words.testMails}
        columns={[
          { title: text.created, cell: ({ createdAt }) => <When at={createdAt} /> },
          { title: text.email, cell: ({ recipient }) => recipient },
          { title: words.subject, cell: ({ subject }) => subject },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
        ]}
        rows={mails.data.data}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}

/** Everything of test mode goes: the workspace's name is typed first. */
function ResetTestData() {
  const mode = useMode();
  const account = useAccount();
  const change = useChange();
  const may = useMay('admin');
  const name = account?.workspaceName ?? '';
  if (mode === 'live' || !may) return null;
  return (
    <Section title={words.resetTitle}>
      <DialogButton label={words.reset} className="danger">
        {(close) => (
          <Form
            submit={words.reset}
            onSubmit={async ({ typed }) => {
              if (typed !== name) throw refused('typed', words.typeName(name));
              await change.mutateAsync({ path: '/api/v1/workspace/test-data', method: 'DELETE' });
              close();
            }}
          >
            {(problem) => (
              <>
                <p>{words.resetHint}</p>
                <Field label={words.typeName(name)} name="typed" problem={problem('typed')} />
              </>
            )}
          </Form>
        )}
      </DialogButton>
    </Section>
  );
}
