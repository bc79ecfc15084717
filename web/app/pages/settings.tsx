import { useApi, useChange, useMay } from '../../session/use-session';
import { CloseWorkspace, ClosingBanner } from '../close-workspace';
import { Personal } from '../../account/personal';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { inWords } from '../../ui/format';
import { Choice, Field, Form } from '../../ui/form';
import { Loaded, Page, Problem, Section } from '../../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Badge, When } from '../../ui/values';

const words = text.app.settings;
const roles = ['viewer', 'member', 'admin', 'owner'] as const;

export default function SettingsPage() {
  const may = useMay('admin');
  return (
    <Page title={words.title}>
      <ClosingBanner />
      <Workspace />
      <Members />
      <Personal />
      {may && <Receipts />}
      {may && <Audit />}
      <CloseWorkspace />
    </Page>
  );
}

interface WorkspaceRecord {
  name: string;
  testEmailRedirect: string | null;
  requireTwoFactor?: boolean;
}

function Workspace() {
  const path = '/api/v1/workspace';
  const workspace = useApi<WorkspaceRecord>(path);
  const change = useChange();
  const mayChange = useMay('admin');
  const isOwner = useMay('owner');
  const submit = ({ name, testEmailRedirect, requireTwoFactor }: Record<string, string>) => {
    const ofOwner = isOwner ? { requireTwoFactor: requireTwoFactor === 'true' } : {};
    const body = { name, testEmailRedirect: testEmailRedirect || null, ...ofOwner };
    return change.mutateAsync({ path, method: 'PATCH', body });
  };
  return (
    <Section title={words.workspace}>
      <Loaded query={workspace}>
        {(one) =>
          mayChange ? (
            <Form submit={text.save} onSubmit={submit}>
              {(problem) => (
                <>
                  <Field
                    label={text.name}
                    name="name"
                    defaultValue={one.name}
                    problem={problem('name')}
                  />
                  <Field
                    label={words.redirect}
                    name="testEmailRedirect"
                    type="email"
                    defaultValue={one.testEmailRedirect ?? ''}
                    hint={words.redirectHint}
                    problem={problem('testEmailRedirect')}
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
                </>
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

interface Member {
  id: string;
  email: string;
  name: string | null;
  role: string;
  status: string;
}

function Members() {
  const path = '/api/v1/workspace/members';
  const members = useApi<Paged<Member>>(path, { limit: 100 });
  const change = useChange();
  const isOwner = useMay('owner');
  return (
    <Section title={words.members} actions={isOwner && <InviteMember path={path} />}>
      <Problem error={change.error} />
      <Loaded query={members}>
        {({ data }) => (
          <Table
            caption={words.members}
            columns={[
              { title: text.email, cell: ({ email }) => email },
              { title: text.name, cell: ({ name }) => name ?? text.nothing },
              { title: text.status, cell: ({ status }) => <Badge status={status} /> },
              {
                title: words.role,
                cell: ({ id, email, role }) =>
                  isOwner ? (
                    <select
                      aria-label={words.roleOf(email)}
                      value={role}
                      onChange={({ target }) =>
                        change.mutate({
                          path: `${path}/${id}`,
                          method: 'PATCH',
                          body: { role: target.value },
                        })
                      }
                    >
                      {roles.map((one) => (
                        <option key={one} value={one}>
                          {text.roles[one]}
                        </option>
                      ))}
                    </select>
                  ) : (
                    inWords(role)
                  ),
              },
              {
                title: text.actions,
                cell: ({ id }) =>
                  isOwner && (
                    <button
                      type="button"
                      onClick={() => change.mutate({ path: `${path}/${id}`, method: 'DELETE' })}
                    >
                      {words.remove}
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

function InviteMember({ path }: { path: string }) {
  const change = useChange();
  return (
    <DialogButton label={words.inviteMember}>
      {(close) => (
        <Form
          submit={words.inviteMember}
          onSubmit={async ({ email, role }) => {
            await change.mutateAsync({ path, method: 'POST', body: { email, role } });
            close();
          }}
        >
          {(problem) => (
            <>
              <Field label={text.email} name="email" type="email" problem={problem('email')} />
              <Choice
                label={words.role}
                name="role"
                defaultValue="member"
                options={roles.map((one) => [one, text.roles[one]] as const)}
              />
            </>
          )}
        </Form>
      )}
    </DialogButton>
  );
}

interface Receipt {
  id: string;
  kind: string;
  erased_at: string;
  completedAt: string | null;
}

function Receipts() {
  const receipts = useApi<Paged<Receipt>>('/api/v1/gdpr/receipts', { limit: 20 });
  if (!receipts.data?.data.length) return null;
  return (
    <Section title={words.receipts}>
      <Table
        caption={words.receipts}
        columns={[
          { title: words.kind, cell: ({ kind }) => inWords(kind) },
          { title: words.erasedAt, cell: ({ erased_at }) => <When at={erased_at} /> },
          { title: words.completedAt, cell: ({ completedAt }) => <When at={completedAt} /> },
        ]}
        rows={receipts.data.data}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}

interface AuditLine {
  id: string;
  createdAt: string;
  actor: { type: string; email?: string | null };
  action: string;
  target: { type: string; id: string | null };
}

function Audit() {
  const { search } = useListSearch();
  const lines = useApi<Paged<AuditLine>>('/api/v1/workspace/audit-log', { page: search.page });
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
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
