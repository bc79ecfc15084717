import { Link } from '@tanstack/react-router';
import { useApi, useChange, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { formatCount } from '../../ui/format';
import { Field, Form } from '../../ui/form';
import { Loaded, Problem, Section } from '../../ui/page';
import {
  Filter,
  Pager,
  SearchBox,
  Table,
  useListSearch,
  type Column,
  type Paged,
} from '../../ui/table';
import { Amounts, Badge, When } from '../../ui/values';
import { OfProgram } from '../of-program';
import type { Participant, Program } from '../types';

const words = text.app.partners;
const statuses = ['pending', 'approved', 'rejected', 'suspended'] as const;

export default function PartnersPage() {
  return (
    <OfProgram title={words.title} actions={(program) => <Invite program={program} />}>
      {(program) => (
        <>
          <Partners program={program} />
          <Invites program={program} />
        </>
      )}
    </OfProgram>
  );
}

function Invite({ program }: { program: Program }) {
  const change = useChange();
  if (!useMay('member')) return null;
  const path = `/api/v1/programs/${program.id}/invites`;
  return (
    <DialogButton label={words.invite} className="primary">
      {(close) => (
        <Form
          submit={words.sendInvite}
          onSubmit={async ({ email, name }) => {
            const body = { email, ...(name && { name }) };
            await change.mutateAsync({ path, method: 'POST', body });
            close();
          }}
        >
          {(problem) => (
            <>
              <Field label={text.email} name="email" type="email" problem={problem('email')} />
              <Field label={text.name} name="name" problem={problem('name')} />
            </>
          )}
        </Form>
      )}
    </DialogButton>
  );
}

function Partners({ program }: { program: Program }) {
  const { asked } = useListSearch();
  const list = useApi<Paged<Participant>>(`/api/v1/programs/${program.id}/partners`, asked);
  return (
    <>
      <div className="filters">
        <SearchBox />
        <Filter
          name="status"
          label={text.status}
          options={statuses.map((one) => [one, text.statuses[one]] as const)}
        />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={words.title}
              columns={columns}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </>
  );
}

const columns: readonly Column<Participant>[] = [
  {
    title: text.partner,
    sort: 'partnerName',
    cell: ({ id, programId, partnerName, partnerEmail }) => (
      <>
        <Link to={`/partners/${programId}/${id}`}>{partnerName}</Link>
        <br />
        <span className="fine">{partnerEmail}</span>
      </>
    ),
  },
  {
    title: text.status,
    sort: 'status',
    cell: (one) => (
      <>
        <Badge status={one.status} />
        {one.status === 'pending' && <Application of={one} />}
      </>
    ),
  },
  { title: words.clicks, isNumber: true, cell: ({ clicks }) => formatCount(clicks) },
  { title: words.sales, isNumber: true, cell: ({ conversions }) => formatCount(conversions) },
  { title: words.revenue, isNumber: true, cell: ({ revenue }) => <Amounts of={revenue} /> },
  { title: words.earned, isNumber: true, cell: ({ commissions }) => <Amounts of={commissions} /> },
  { title: words.since, sort: 'createdAt', cell: ({ createdAt }) => <When at={createdAt} /> },
];

/** Who applied waits for an answer. */
export function Application({ of: { id, programId } }: { of: Participant }) {
  const change = useChange();
  if (!useMay('member')) return null;
  const path = `/api/v1/programs/${programId}/partners/${id}`;
  const decide = (action: string, body: object = {}): void =>
    change.mutate({ path: `${path}/${action}`, method: 'PATCH', body });
  return (
    <span className="inline-actions">
      <button type="button" disabled={change.isPending} onClick={() => decide('approve')}>
        {words.approve}
      </button>
      <button type="button" disabled={change.isPending} onClick={() => decide('reject')}>
        {words.reject}
      </button>
      <Problem error={change.error} />
    </span>
  );
}

interface InviteRow {
  id: string;
  email: string;
  name: string | null;
  status: string;
  expiresAt: string;
}

function Invites({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/invites`;
  const list = useApi<Paged<InviteRow>>(path, { limit: 50 });
  const change = useChange();
  const may = useMay('member');
  const rows = list.data?.data ?? [];
  if (rows.length === 0) return null;
  return (
    <Section title={words.invites}>
      <Problem error={change.error} />
      <Table
        caption={words.invites}
        columns={[
          { title: text.email, cell: ({ email }) => email },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          { title: words.until, cell: ({ expiresAt }) => <When at={expiresAt} /> },
          {
            title: text.actions,
            cell: ({ id, status }) =>
              may &&
              status === 'pending' && (
                <span className="inline-actions">
                  <button
                    type="button"
                    onClick={() =>
                      change.mutate({ path: `${path}/${id}/resend`, method: 'POST', body: {} })
                    }
                  >
                    {words.resend}
                  </button>
                  <button
                    type="button"
                    onClick={() => change.mutate({ path: `${path}/${id}`, method: 'DELETE' })}
                  >
                    {words.withdraw}
                  </button>
                </span>
              ),
          },
        ]}
        rows={rows}
        rowKey={({ id }) => id}
        empty={text.nothing}
      />
    </Section>
  );
}
