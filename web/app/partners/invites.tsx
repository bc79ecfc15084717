import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton } from '../../ui/ask';
import { Loaded, Section } from '../../ui/page';
import { Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { Badge, When } from '../../ui/values';
import type { PartnerInviteDto, Program } from '../../session/records';

const words = text.app.partners;

export function Invites({ program }: { program: Program }) {
  const { search } = useListSearch();
  const path = `/api/v1/programs/${program.id}/invites`;
  const list = useApi<Paged<PartnerInviteDto>>(path, { page: search['invitesPage'] });
  const may = useMay('member');
  return (
    <Section title={words.invites}>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
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
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noInvites}
            />
            <Pager of={found} name="invitesPage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}
