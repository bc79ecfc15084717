import { Share2 } from 'lucide-react';
import { useAnswer } from '../session/use-session';
import { home as words } from '../text/en/portal/home';
import { links as linksWords } from '../text/en/portal/links';
import { Loaded, Section } from '../ui/page';
import { earningInWords } from '../ui/terms';
import { Copyable } from '../ui/values';
import type { PartnerProgram } from '../session/records';

/** The link that one passes on, and the codes that buyers type. */
export function ShareLink({ of: { programId, programName, promoCodes } }: { of: PartnerProgram }) {
  // The default link comes first.
  const links = useAnswer('partnerPortal.listLinks', { programId, limit: 1 });
  const terms = useAnswer('partnerPortal.getProgram', { programId }).data;
  return (
    <Section title={words.linkOf(programName)}>
      <Loaded query={links}>
        {({ data: [link] }) => (
          <>
            {terms && <p>{words.youEarn(earningInWords(terms.commission, terms.currency))}</p>}
            {link && (
              <p className="share">
                <Copyable value={link.url} />
                <ShareButton url={link.url} title={programName} />
              </p>
            )}
            {promoCodes.length > 0 && (
              <p className="share">
                {linksWords.codes}:
                {promoCodes.map((code) => (
                  <Copyable key={code} value={code} />
                ))}
              </p>
            )}
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Hands it to the telephone's own list of ways; where the browser has none, nothing. */
function ShareButton({ url, title }: { url: string; title: string }) {
  if (!('share' in navigator)) return null;
  const share = (): void => void navigator.share({ url, title }).catch(() => undefined);
  return (
    <button type="button" onClick={share}>
      <Share2 size={14} aria-hidden="true" /> {words.share}
    </button>
  );
}
