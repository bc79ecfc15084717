import { Share2 } from 'lucide-react';
import { useApi } from '../session/use-session';
import { text } from '../text/en';
import { Loaded, Section } from '../ui/page';
import type { Paged } from '../ui/table';
import { Copyable } from '../ui/values';
import type { PartnerProgram, TrackingLinkDto } from '../session/records';

const words = text.portal.home;

/** The link that one passes on, and the codes that buyers type. */
export function ShareLink({ of: { programId, programName, promoCodes } }: { of: PartnerProgram }) {
  const path = `/api/v1/partner/programs/${programId}/links`;
  // The default link comes first.
  const links = useApi<Paged<TrackingLinkDto>>(path, { limit: 1 });
  return (
    <Section title={words.linkOf(programName)}>
      <Loaded query={links}>
        {({ data: [link] }) => (
          <>
            {link && (
              <p className="share">
                <Copyable value={link.url} />
                <ShareButton url={link.url} title={programName} />
              </p>
            )}
            {promoCodes.length > 0 && (
              <p className="share">
                {text.portal.links.codes}:
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
