import { Fragment, useState } from 'react';
import type { Key } from '../../session/records';
import { useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { optionsOf, inWords } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Page, Section } from '../../ui/page';
import { Parts } from '../../ui/parts';
import { Filter, List, useListSearch } from '../../ui/table';
import { Badge, ShownOnce, Copyable, When } from '../../ui/values';
import { Billing } from '../billing/billing';
import { Events } from './events';
import { ResetTestData, TestMails } from './test-data';
import { useProgram } from '../use-program';
import { Webhooks } from './webhooks';

const words = text.app.developers;

export default function DevelopersPage() {
  const mode = useMode();
  return (
    <Page title={words.title}>
      <Parts
        label={words.title}
        of={[
          ['keys', words.keys, <Keys key="keys" />],
          ['webhooks', words.webhooks, <Webhooks key="webhooks" />],
          ['events', words.eventList, <Events key="events" />],
          ['billing', text.app.billing.title, <Billing key="billing" />],
          mode === 'test' && [
            'test',
            words.resetTitle,
            <Fragment key="test">
              <TestMails />
              <ResetTestData />
            </Fragment>,
          ],
        ]}
      />
      <p>
        <a href="/api/docs">{words.reference}</a>
      </p>
    </Page>
  );
}

/** Names of the programmes of this mode, for keys that are bound to one. */
function useProgramName() {
  const { all } = useProgram();
  return (programId: string | null) => {
    if (programId === null) return [];
    const program = all.find(({ id }) => id === programId);
    return [program?.name ?? words.oneProgram];
  };
}

function Keys() {
  const path = '/api/v1/workspace/api-keys';
  const nameOf = useProgramName();
  const may = useMay('admin');
  const mode = useMode();
  const { asked } = useListSearch();
  return (
    <Section title={words.keys} actions={may && <NewKey path={path} />}>
      <div className="filters">
        <Filter
          name="revoked"
          label={text.status}
          usual="false"
          options={[
            ['false', words.inUse],
            ['true', words.revoked],
          ]}
        />
      </div>
      <List<Key>
        path={path}
        query={{ mode, revoked: asked['revoked'] ?? 'false' }}
        name="keysPage"
        caption={words.keys}
        columns={[
          {
            title: words.kind,
            cell: ({ kind, role, programId }) =>
              [inWords(kind), ...(role ? [inWords(role)] : []), ...nameOf(programId)].join(', '),
          },
          { title: text.name, cell: ({ name }) => name ?? text.nothing },
          {
            title: words.key,
            cell: ({ key, prefix, last4 }) =>
              key ? <Copyable value={key} /> : <code>{`${prefix}…${last4}`}</code>,
          },
          { title: words.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
          {
            title: text.actions,
            cell: ({ id, prefix, last4, revokedAt }) => {
              if (revokedAt) return <Badge status="revoked" of={words.revoked} />;
              if (!may) return text.nothing;
              return (
                <ConfirmButton
                  label={words.revoke}
                  call={{ path: `${path}/${id}/revoke`, method: 'POST', body: {} }}
                >
                  <p>{words.revokeHint(`${prefix}…${last4}`)}</p>
                </ConfirmButton>
              );
            },
          },
        ]}
        empty={text.nothing}
      />
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
  const { all } = useProgram();
  const [made, setMade] = useState<string>();
  const [chosen, setChosen] = useState('secret');
  const change = useChange<Key>(({ key }) => setMade(key));
  if (made !== undefined) {
    return <ShownOnce hint={words.shownOnce} value={made} onSeen={close} />;
  }
  return (
    <Form
      submit={words.newKey}
      onSubmit={({ kind, name, role, programId }) => {
        const bound = programId ? { programId } : {};
        const ofManagement = kind === 'management' ? { role, ...bound } : {};
        const body = { kind, mode, ...ofManagement, ...(name && { name }) };
        return change.mutateAsync({ path, method: 'POST', body });
      }}
    >
      <Choice
        label={words.kind}
        name="kind"
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        options={optionsOf(['secret', 'public', 'management'], words.kinds)}
      />
      {chosen === 'management' && (
        <>
          <Choice
            label={text.app.settings.role}
            name="role"
            options={optionsOf(['viewer', 'member', 'admin'], text.roles)}
          />
          <Choice
            label={text.program}
            name="programId"
            options={[
              ['', words.allPrograms] as const,
              ...all.map(({ id, name }) => [id, name] as const),
            ]}
          />
        </>
      )}
      <Field label={text.name} name="name" />
    </Form>
  );
}
