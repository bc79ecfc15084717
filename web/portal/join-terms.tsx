import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { SignIn } from '../account/sign-in';
import { useSession } from '../session/use-session';
import { join as joinWords } from '../text/en/portal/join';
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
  return useQuery({
    queryKey: ['open programme', programId, group],
    queryFn: () => session.askOpenly('programmes.getPublic', { programId, group }),
  });
}

/** Who follows a merchant's link reads the terms first, and signs in beneath them. */
export function JoinAsStranger() {
  const program = useOpenProgram();
  return (
    <Page title={joinWords.title}>
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
