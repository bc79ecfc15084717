import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton } from '../../ui/ask';
import { Section } from '../../ui/page';
import { List } from '../../ui/table';
import { Badge, When } from '../../ui/values';
import type { PartnerInviteDto, Program } from '../../session/records';

const words = text.app.partners;

export function Invites({ program }: { program: Program }) {
  const path = `/api/v1/programs/${program.id}/invites`;
  const may = useMay('member');
  return (
    <Section title={words.invites}>
      <List<PartnerInviteDto>
        path={path}
        name="invitesPage"
        caption={words.invites}
        columns={[
          { title: text.email, cell: ({ email }) => email },
          { title: text.name, cell: ({ name }) => name ?? text.nothing },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          { title: words.until, cell: ({ expiresAt }) => <When at={expiresAt} /> },
          {
            title: text.actions,
            cell: ({ id, status }) =>
              may &&
              status === 'pending' && (
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
          },
        ]}
        empty={words.noInvites}
      />
    </Section>
  );
}
