import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { OpenProgram, Participant } from '../../session/records';
import { useSession } from '../../session/use-session';
import { join as words } from '../../text/en/portal/join';
import { nav as navWords } from '../../text/en/portal/nav';
import { Area, Form } from '../../ui/plain-form';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page } from '../../ui/page';
import { useAskedGroup, useOpenProgram } from '../join-terms';
import { ProgramTerms } from '../program-terms';

/** Where a merchant's link for partners leads. */
export default function JoinPage() {
  const program = useOpenProgram();
  return (
    <Page title={words.title}>
      <Loaded query={program}>
        {(one) => (
          <>
            <ProgramTerms of={one} />
            <Apply to={one} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The application, in the mode of the programme, whichever the address names. */
function Apply({ to: { id, mode } }: { to: OpenProgram }) {
  const session = useSession();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const groupId = useAskedGroup();
  const [status, setStatus] = useState<Participant['status']>();
  const apply = async ({ message }: Record<string, string>): Promise<void> => {
    const said = { ...(message ? { message } : {}), ...(groupId ? { groupId } : {}) };
    const fields = { programId: id, ...said };
    const answer = await session.ask('partnerPortal.applyToProgram', fields, mode);
    setStatus(answer.status);
    // This partner is at home in the mode of the programme from now on.
    await navigate({ to: '.', search: { mode } as never, replace: true });
    await queries.invalidateQueries();
  };
  if (status) {
    return (
      <p role="status">
        {status === 'approved' ? words.approved : words.pending}{' '}
        <FilteredLink to="/links" search={{ mode }}>
          {navWords.links}
        </FilteredLink>
      </p>
    );
  }
  return (
    <Form submit={words.apply} onSubmit={apply}>
      <Area label={words.message} name="message" />
    </Form>
  );
}
