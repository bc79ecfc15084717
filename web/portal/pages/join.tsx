import { Link, useParams } from '@tanstack/react-router';
import { useApi, useChange } from '../../session/use-session';
import { text } from '../../text/en';
import { Area, Form } from '../../ui/form';
import { Loaded, Page } from '../../ui/page';
import { ProgramTerms, type OpenProgram } from '../program-terms';

const words = text.portal.join;

/** Where a merchant's link for partners leads. */
export default function JoinPage() {
  const { programId = '' } = useParams({ strict: false }) as Record<string, string>;
  const program = useApi<OpenProgram>(`/api/v1/public/programs/${programId}`);
  const change = useChange<{ status: string }>();
  return (
    <Page title={words.title}>
      <Loaded query={program}>{(one) => <ProgramTerms of={one} />}</Loaded>
      {change.data ? (
        <p role="status">
          {change.data.status === 'approved' ? words.approved : words.pending}{' '}
          <Link to="/links">{text.portal.nav.links}</Link>
        </p>
      ) : (
        <Form
          submit={words.apply}
          onSubmit={({ message }) =>
            change.mutateAsync({
              path: `/api/v1/partner/programs/${programId}/applications`,
              method: 'POST',
              body: message ? { message } : {},
            })
          }
        >
          {(problem) => <Area label={words.message} name="message" problem={problem('message')} />}
        </Form>
      )}
    </Page>
  );
}
