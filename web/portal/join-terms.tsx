import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { SignIn } from '../account/sign-in';
import type { OpenProgram } from '../session/records';
import { useSession } from '../session/use-session';
import { text } from '../text/en';
import { Loaded, Page, Section } from '../ui/page';
import { ProgramTerms } from './program-terms';

/** The group that a merchant's link leads into; undefined for the default one. */
export function useAskedGroup(): string | undefined {
  const { group }: { group?: string } = useSearch({ strict: false });
  return group;
}

/** The programme that the address of the join page names, as anybody may read it. */
export function useOpenProgram() {
  const session = useSession();
  const { programId = '' } = useParams({ strict: false }) as Record<string, string>;
  const group = useAskedGroup();
  const asked = group === undefined ? '' : `?group=${encodeURIComponent(group)}`;
  return useQuery({
    queryKey: ['open programme', programId, group],
    queryFn: () => session.read<OpenProgram>(`/api/v1/public/programs/${programId}${asked}`),
  });
}

/** Who follows a merchant's link reads the terms first, and signs in beneath them. */
export function JoinAsStranger() {
  const program = useOpenProgram();
  return (
    <Page title={text.portal.join.title}>
      <Loaded query={program}>
        {(one) => (
          <>
            <ProgramTerms of={one} />
            <SignIn frame={Section} isNew />
          </>
        )}
      </Loaded>
    </Page>
  );
}
