import { Fragment, useState } from 'react';
import type { MemberDto } from '../../session/records';
import { useAnswer, useChange, useMay } from '../../session/use-session';
import { CloseWorkspace } from './close-workspace';
import { PayoutProvider } from './payout-provider';
import { Personal } from '../../account/personal';
import { text } from '../../text/en';
import { closing as closingWords } from '../../text/en/app/closing';
import { settings as words } from '../../text/en/app/settings';
import { FormButton, ConfirmButton } from '../../ui/ask';
import { chosenOf, optionsOf } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Loaded, Page, Section } from '../../ui/page';
import { Parts } from '../../ui/parts';
import { List } from '../../ui/list';
import { Badge } from '../../ui/values';
import { Moving } from '../moving/leave';
import { Audit, Receipts, SuppressedAddresses } from '../records';

const roles = ['member', 'viewer', 'admin', 'owner'] as const;
const roleOptions = optionsOf(['viewer', 'member', 'admin', 'owner'], text.roles);

export default function SettingsPage() {
  const may = useMay('admin');
  return (
    <Page title={words.title}>
      <Parts
        label={words.title}
        of={[
          ['workspace', words.workspace, <Workspace key="workspace" />],
          ['members', words.members, <Members key="members" />],
          may && ['payouts', words.payoutProvider.title, <PayoutProvider key="payouts" />],
          ['you', text.personal.me, <Personal key="you" />],
          may && [
            'records',
            words.records,
            <Fragment key="records">
              <SuppressedAddresses />
              <Receipts />
              <Audit />
            </Fragment>,
          ],
          may && ['moving', words.moving, <Moving key="moving" />],
          ['close', closingWords.close, <CloseWorkspace key="close" />],
        ]}
      />
    </Page>
  );
}

function Workspace() {
  const workspace = useAnswer('workspace.get');
  const update = useChange('workspace.update');
  const mayChange = useMay('admin');
  const isOwner = useMay('owner');
  const submit = ({ name, testEmailRedirect, requireTwoFactor }: Record<string, string>) => {
    const ofOwner = isOwner ? { requireTwoFactor: requireTwoFactor === 'true' } : {};
    const redirect = { testEmailRedirect: testEmailRedirect || null };
    return update.mutateAsync({ name, ...redirect, ...ofOwner });
  };
  return (
    <Section title={words.workspace}>
      <Loaded query={workspace}>
        {(one) =>
          mayChange ? (
            <Form submit={text.save} onSubmit={submit}>
              <Field label={text.name} name="name" defaultValue={one.name} />
              <Field
                label={words.redirect}
                name="testEmailRedirect"
                type="email"
                defaultValue={one.testEmailRedirect ?? ''}
                hint={words.redirectHint}
              />
              {isOwner && (
                <Choice
                  label={words.requireTwoFactor}
                  name="requireTwoFactor"
                  defaultValue={String(one.requireTwoFactor ?? false)}
                  options={[
                    ['false', text.no],
                    ['true', text.yes],
                  ]}
                />
              )}
            </Form>
          ) : (
            <p>{one.name}</p>
          )
        }
      </Loaded>
    </Section>
  );
}

function Members() {
  const isOwner = useMay('owner');
  return (
    <Section title={words.members} actions={isOwner && <InviteMember />}>
      <List
        call="members.list"
        name="membersPage"
        caption={words.members}
        columns={[
          { title: text.email, cell: ({ email }) => email },
          { title: text.name, cell: ({ name }) => name ?? text.nothing },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          {
            title: words.role,
            cell: ({ role }) => text.roles[role],
          },
          {
            title: text.actions,
            cell: ({ id, email, role }) =>
              isOwner && (
                <span className="inline-actions">
                  <ChangeRole id={id} email={email} role={role} />
                  <ConfirmButton
                    label={words.remove}
                    title={text.doTo(words.remove, email)}
                    className="danger"
                    call="members.remove"
                    fields={{ memberId: id }}
                  >
                    <p>{words.removeHint(email)}</p>
                  </ConfirmButton>
                </span>
              ),
          },
        ]}
        empty={text.nothing}
      />
    </Section>
  );
}

type RoleProps = Pick<MemberDto, 'id' | 'email' | 'role'>;

/** The change of a role, in a dialog: a key that is pressed by mistake makes nobody an owner. */
function ChangeRole({ id, email, role }: RoleProps) {
  const change = useChange('members.changeRole');
  const [chosen, setChosen] = useState(role);
  return (
    <FormButton
      label={words.changeRole}
      name={words.changeRoleOf(email)}
      send={() => change.mutateAsync({ memberId: id, role: chosen })}
    >
      <p>{email}</p>
      <Choice
        label={words.role}
        name="role"
        value={chosen}
        hint={words.roleHints[chosen]}
        onChange={({ target }) => setChosen(target.value)}
        options={roleOptions}
      />
    </FormButton>
  );
}

function InviteMember() {
  const invite = useChange('members.invite');
  return (
    <FormButton
      label={words.inviteMember}
      send={({ email = '', role }) => invite.mutateAsync({ email, role: chosenOf(roles, role) })}
    >
      <Field label={text.email} name="email" type="email" />
      <Choice label={words.role} name="role" defaultValue="member" options={roleOptions} />
    </FormButton>
  );
}
