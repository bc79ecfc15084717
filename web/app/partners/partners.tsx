import { Link } from '@tanstack/react-router';
import { useChange, useMay, useMode } from '../../session/use-session';
import { text } from '../../text/en';
import { partners as words } from '../../text/en/app/partners';
import { FormButton } from '../../ui/ask';
import { optionsOf, formatCount } from '../../ui/format';
import { Field } from '../../ui/plain-form';
import { Filter, SearchBox, useFilters } from '../../ui/filters';
import { List, type ColumnOf } from '../../ui/list';
import { Amounts, Avatar, Badge, When } from '../../ui/values';
import { Application } from './application';
import { Invites } from './invites';
import { OfProgram } from '../of-program';
import type { Program } from '../../session/records';

const statuses = ['pending', 'approved', 'rejected', 'suspended', 'left'] as const;

export default function PartnersPage() {
  return (
    <OfProgram
      title={words.title}
      actions={(program) => (
        <>
          <AddPartner program={program} />
          <Invite program={program} />
        </>
      )}
    >
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
  const invite = useChange('partners.invite');
  const mode = useMode();
  if (!useMay('member') || program.status === 'archived') return null;
  return (
    <FormButton
      label={words.invite}
      className="primary"
      submit={words.sendInvite}
      done={mode === 'test' ? words.inviteMade : words.inviteSent}
      send={({ email = '', name }) =>
        invite.mutateAsync({ programId: program.id, email, ...(name && { name }) })
      }
    >
      <Field label={text.email} name="email" type="email" />
      <Field label={text.name} name="name" />
    </FormButton>
  );
}

/** Adds a partner at once, without asking first; the person hears of it by mail and chooses a password. */
function AddPartner({ program }: { program: Program }) {
  const add = useChange('partners.add');
  if (!useMay('member') || program.status === 'archived') return null;
  return (
    <FormButton
      label={words.add}
      send={({ email = '', name = '', referralCode }) =>
        add.mutateAsync({
          ...{ programId: program.id, email, name },
          ...(referralCode && { referralCode }),
        })
      }
    >
      <p>{words.addHint}</p>
      <Field label={text.email} name="email" type="email" />
      <Field label={text.name} name="name" />
      <Field label={words.referralCode} name="referralCode" hint={words.referralCodeHint} />
    </FormButton>
  );
}

function Partners({ program }: { program: Program }) {
  const asked = useFilters('partners.list');
  return (
    <>
      <div className="filters">
        <SearchBox call="partners.list" field="search" />
        <Filter
          call="partners.list"
          field="status"
          label={text.status}
          options={optionsOf(statuses, text.statuses)}
        />
        <Filter
          call="partners.list"
          field="owes"
          label={words.owes}
          options={[
            ['true', text.yes],
            ['false', text.no],
          ]}
        />
      </div>
      <List
        call="partners.list"
        fields={{ ...asked, programId: program.id }}
        filters={['search', 'status', 'owes']}
        caption={words.title}
        columns={columns}
        empty={words.empty}
      />
    </>
  );
}

const columns: readonly ColumnOf<'partners.list'>[] = [
  {
    title: text.partner,
    opens: true,
    sort: 'partnerName',
    cell: ({ id, programId, partnerName, partnerEmail }) => (
      <span className="who" title={partnerName}>
        <Avatar name={partnerName} />
        <span>
          <Link to={`/partners/${programId}/${id}`}>{partnerName}</Link>
          <span className="fine">{partnerEmail}</span>
        </span>
      </span>
    ),
  },
  {
    title: text.status,
    sort: 'status',
    cell: (one) => (
      <>
        <Badge status={one.status} /> {!one.claimed && <Badge status="not_claimed" />}
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
