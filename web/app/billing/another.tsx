import type { Tracking } from '../../session/records';
import { billing as words } from '../../text/en/app/billing';

/** Whoever is not read here: the merchant's own server tells of each sale. */
export function Another({ tracking }: { tracking: Tracking | undefined }) {
  return (
    <>
      <p>{words.anotherHint}</p>
      {tracking && (
        <p>
          <a
            target="_blank"
            rel="noreferrer"
            href={`${tracking.guideUrl}#own-server-by-any-biller`}
          >
            {words.guide}
          </a>
        </p>
      )}
    </>
  );
}
