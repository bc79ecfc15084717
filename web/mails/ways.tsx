import { wasSignedIn, type Side } from '../session/session';
import { text } from '../text/en';

const words = text.mails;

/** Where to go on: another site, therefore no link of this one's router. */
export function Ways({ side }: { side?: Side }) {
  const dashboard = side !== 'partner' && (
    <a key="app" href="/app">
      {words.toDashboard}
    </a>
  );
  const portal = side !== 'merchant' && (
    <a key="portal" href="/portal">
      {words.toPortal}
    </a>
  );
  return (
    <p className="alone-links">{isPartnerHere() ? [portal, dashboard] : [dashboard, portal]}</p>
  );
}

/** Whether this browser knows its person as a partner alone: theirs is the first way then. */
const isPartnerHere = (): boolean => wasSignedIn('partner') && !wasSignedIn('merchant');
