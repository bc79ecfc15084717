import { Fragment, useState } from 'react';
import { useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { billing as billingWords } from '../../text/en/app/billing';
import { developers as words } from '../../text/en/app/developers';
import { settings as settingsWords } from '../../text/en/app/settings';
import { ConfirmButton } from '../../ui/ask';
import { DialogButton } from '../../ui/dialog';
import { chosenOf, optionsOf, inWords } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Page, Section } from '../../ui/page';
import { Parts } from '../../ui/parts';
import { Filter, useFilters } from '../../ui/filters';
import { List } from '../../ui/list';
import { Badge, ShownOnce, Copyable, When } from '../../ui/values';
import { Billing } from '../billing/billing';
import { Events } from './events';
import { ResetTestData, TestMails } from './test-data';
import { useProgram } from '../use-program';
import { Webhooks } from './webhooks';

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
          ['billing', billingWords.title, <Billing key="billing" />],
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
  const nameOf = useProgramName();
  const may = useMay('admin');
  const mode = useMode();
  const { revoked } = useFilters('apiKeys.list');
  return (
    <Section title={words.keys} actions={may && <NewKey />}>
      <div className="filters">
        <Filter
          call="apiKeys.list"
          field="revoked"
          label={text.status}
          usual="false"
          options={[
            ['false', words.inUse],
            ['true', words.revoked],
          ]}
        />
      </div>
      <List
        call="apiKeys.list"
        fields={{ mode, revoked: revoked ?? false }}
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
                  title={text.doTo(words.revoke, `${prefix}…${last4}`)}
                  className="danger"
                  call="apiKeys.revoke"
                  fields={{ apiKeyId: id }}
                >
                  <p>{words.revokeHint(`${prefix}…${last4}`)}</p>
                </ConfirmButton>
              );
            },
          },
        ]}
        empty={words.noKeys}
      />
    </Section>
  );
}

/** The key is shown in the dialog that made it, and never again. */
function NewKey() {
  return (
    <DialogButton label={words.newKey}>{(close) => <NewKeyForm close={close} />}</DialogButton>
  );
}

const keyKinds = ['secret', 'public', 'management'] as const;
const keyRoles = ['viewer', 'member', 'admin'] as const;

function NewKeyForm({ close }: { close: () => void }) {
  const mode = useMode();
  const { all } = useProgram();
  const [made, setMade] = useState<string>();
  const [chosen, setChosen] = useState<(typeof keyKinds)[number]>('secret');
  const create = useChange('apiKeys.create', ({ key }) => setMade(key));
  if (made !== undefined) {
    return <ShownOnce hint={words.shownOnce} value={made} onSeen={close} />;
  }
  return (
    <Form
      submit={words.newKey}
      onSubmit={({ kind, name, role, programId }) => {
        const bound = { role: chosenOf(keyRoles, role), ...(programId && { programId }) };
        return create.mutateAsync({
          ...{ kind: chosenOf(keyKinds, kind), mode },
          ...(kind === 'management' && bound),
          ...(name && { name }),
        });
      }}
    >
      <Choice
        label={words.kind}
        name="kind"
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        options={optionsOf(keyKinds, words.kinds)}
      />
      {chosen === 'management' && (
        <>
          <Choice
            label={settingsWords.role}
            name="role"
            options={optionsOf(keyRoles, text.roles)}
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
