import type { Side } from '../session/session';
import { text } from '../text/en';

const words = text.mails;

/** Where to go on: another site, therefore no link of this one's router. */
export function Ways({ side }: { side?: Side }) {
  return (
    <p className="alone-links">
      {side !== 'partner' && <a href="/app">{words.toDashboard}</a>}
      {side !== 'merchant' && <a href="/portal">{words.toPortal}</a>}
    </p>
  );
}
