import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { partners as words } from '../../text/en/app/partners';
import { ActButton } from '../../ui/ask';
import { optionsOf } from '../../ui/format';
import { Section } from '../../ui/page';
import { Filter, useListSearch } from '../../ui/filters';
import { List } from '../../ui/list';
import { Badge, When } from '../../ui/values';
import type { PartnerInviteDto, Program } from '../../session/records';

const statuses = ['pending', 'accepted', 'expired'] as const;

export function Invites({ program }: { program: Program }) {
  const { search } = useListSearch();
  const status = statuses.find((one) => one === search['invites']) ?? 'pending';
  // What was accepted or has ended wants nothing more.
  const may = useMay('member') && status === 'pending';
  const actions = may ? [text.actions] : [];
  return (
    <Section
      title={words.invites}
      actions={
        <Filter
          call="partners.listInvites"
          field="status"
          name="invites"
          label={text.status}
          usual="pending"
          options={optionsOf(statuses, words.inviteStatuses)}
        />
      }
    >
      <List
        call="partners.listInvites"
        fields={{ programId: program.id, status }}
        name="invitesPage"
        filters={status === 'pending' ? [] : ['invites']}
        caption={words.invites}
        columns={[
          { title: text.email, cell: ({ email }) => email },
          { title: text.name, cell: ({ name }) => name ?? text.nothing },
          {
            title: text.status,
            cell: (row) => <Badge status={row.status} of={words.inviteStatuses[row.status]} />,
          },
          { title: words.until, cell: ({ expiresAt }) => <When at={expiresAt} /> },
          ...actions.map((title) => ({
            title,
            cell: ({ id }: PartnerInviteDto) => (
              <span className="inline-actions">
                <ActButton
                  label={words.resend}
                  call="partners.resendInvite"
                  fields={{ programId: program.id, inviteId: id }}
                />
                <ActButton
                  label={words.withdraw}
                  call="partners.deleteInvite"
                  fields={{ programId: program.id, inviteId: id }}
                />
              </span>
            ),
          })),
        ]}
        empty={words.noInvites}
      />
    </Section>
  );
}
