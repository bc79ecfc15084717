import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { SignIn } from '../../account/sign-in';
import { ProgramTerms } from '../../portal/program-terms';
import type { Mode } from '../../session/session';
import { useAccount, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { Form } from '../../ui/plain-form';
import { Loaded, Page, Section } from '../../ui/page';
import { When } from '../../ui/values';
import { useToken } from '../token';

const words = text.mails;

/** What one is invited to is shown first; then one signs in, or is signed in already. */
export default function PartnerInvitePage() {
  const session = useSession();
  const account = useAccount();
  const token = useToken();
  const [hasEntered, setEntered] = useState(false);
  const preview = useQuery({
    queryKey: ['invite', token],
    queryFn: () => session.askOpenly('partners.previewInvite', { token }),
    // The invite is asked for once: accepting it spends it.
    staleTime: Infinity,
  });
  return (
    <Page title={words.partnerTitle}>
      <Loaded query={preview}>
        {({ workspaceName, programName, terms, email, name, expiresAt }) => (
          <>
            <p>{words.invitedBy(workspaceName, programName)}</p>
            <ProgramTerms of={terms} />
            <p className="fine">
              {words.validUntil} <When at={expiresAt} />
            </p>
            {account ? (
              <Accept token={token} mode={terms.mode} isAtOnce={hasEntered} />
            ) : (
              <>
                <p>{words.byAccount}</p>
                <SignIn
                  frame={Section}
                  email={email}
                  name={name ?? undefined}
                  isNew
                  onEnter={() => setEntered(true)}
                />
              </>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

interface AcceptProps {
  token: string;
  mode: Mode;
  /** Who gave their account just now, beneath the terms, is not asked once more. */
  isAtOnce: boolean;
}

/** The token is the credential: whoever holds it joins with the account that they want. */
function Accept({ token, mode, isAtOnce }: AcceptProps) {
  const session = useSession();
  const account = useAccount();
  const around = useRef<HTMLDivElement>(null);
  const isSent = useRef(false);
  useEffect(() => {
    if (!isAtOnce || isSent.current) return;
    isSent.current = true;
    // The form is submitted, which says what was refused.
    around.current?.querySelector('form')?.requestSubmit();
  }, [isAtOnce]);
  const accept = async (): Promise<void> => {
    await session.ask('partners.acceptInvite', { token }, mode);
    window.location.replace(`/portal?mode=${mode}`);
  };
  const another = (
    <button type="button" className="quiet" onClick={() => void session.leave()}>
      {words.another}
    </button>
  );
  return (
    <div ref={around}>
      <Form submit={words.accept} beside={another} onSubmit={accept}>
        <p>{words.signedInAs(account?.name ?? '', account?.email ?? '')}</p>
      </Form>
    </div>
  );
}
