import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton } from '../../ui/ask';
import { optionsOf } from '../../ui/format';
import { Section } from '../../ui/page';
import { Filter, List, useListSearch } from '../../ui/table';
import { Badge, When } from '../../ui/values';
import type { PartnerInviteDto, Program } from '../../session/records';

const words = text.app.partners;

export function Invites({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/invites`;
  const { search } = useListSearch();
  const status = search['invites'] ?? 'pending';
  // What was accepted or has ended wants nothing more.
  const may = useMay('member') && status === 'pending';
  const actions = may ? [text.actions] : [];
  return (
    <Section
      title={words.invites}
      actions={
        <Filter
          name="invites"
          label={text.status}
          usual="pending"
          options={optionsOf(['pending', 'accepted', 'expired'], words.inviteStatuses)}
        />
      }
    >
      <List<PartnerInviteDto>
        path={path}
        query={{ status }}
        name="invitesPage"
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
                  call={{ path: `${path}/${id}/resend`, method: 'POST', body: {} }}
                />
                <ActButton
                  label={words.withdraw}
                  call={{ path: `${path}/${id}`, method: 'DELETE' }}
                />
              </span>
            ),
          })),
        ]}
        empty={status === 'pending' ? words.noInvites : text.noneFits}
      />
    </Section>
  );
}
