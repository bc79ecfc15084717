import { useEffect, useState } from 'react';
import { useAnswer, useMode } from '../../session/use-session';
import { getStarted as words } from '../../text/en/app/get-started';
import { Loaded } from '../../ui/page';
import { Copyable, When } from '../../ui/values';
import { sellsAt, useDemoShop } from './practice';
import type { Key, Participant, Program, Tracking } from '../../session/records';

interface SnippetProps {
  program: Program;
  partner: Participant | undefined;
  /** The same one, where it is no partner for practice. */
  real: Participant | undefined;
  tracking: Tracking;
  /** The page is opened: a click should come now. */
  onCheck: () => void;
}

/** The tag, and a way to see that it works. */
export function Snippet({ program, partner, real, tracking, onCheck }: SnippetProps) {
  const mode = useMode();
  const shop = useDemoShop();
  const keys = useAnswer('apiKeys.list', { limit: 100 });
  const isOurs = (one: Key): boolean =>
    one.kind === 'public' && one.mode === mode && one.revokedAt === null;
  return (
    <Loaded query={keys}>
      {({ data }) => {
        const key = data.find(isOurs)?.key;
        if (key === undefined) return <p>{words.noKey}</p>;
        const isShop = sellsAt(program, shop);
        return (
          <>
            <p>{isShop ? words.shopHasSnippet : words.snippetHint}</p>
            <Copyable
              value={`<script async src="${tracking.script.url}" data-merchant="${key}" data-keep></script>`}
            />
            {partner?.referralCode && (
              <p>
                <a
                  href={practiceUrl(program, partner.referralCode, isShop ? key : undefined)}
                  target="_blank"
                  rel="noreferrer"
                  onClick={onCheck}
                >
                  {words.checkPage}
                </a>{' '}
                <span className="fine">
                  {(real ? words.asPartner : words.asNobody)(partner.partnerName)}
                </span>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

/** The demo shop learns by its address whose tag it carries. */
function practiceUrl({ websiteUrl }: Program, ref: string, key: string | undefined): string {
  const url = new URL(websiteUrl);
  url.searchParams.set('ref', ref);
  if (key !== undefined) url.searchParams.set('key', key);
  return url.href;
}

/** The time that a click may take, from the page's opening to here. */
const patienceMs = 20_000;

interface FirstClickProps {
  program: Program | undefined;
  tracking: Tracking;
  /** When the page was opened to check it, in milliseconds. */
  checkedAt: number | undefined;
}

export function FirstClick({ program, tracking, checkedAt }: FirstClickProps) {
  const isLate = useIsLate(checkedAt);
  const { lastClickAt, lastUnknownRef } = tracking;
  const hasCome = Date.parse(lastClickAt ?? '') >= (checkedAt ?? 0);
  return (
    <>
      {lastClickAt ? (
        <p>
          {words.lastClick} <When at={lastClickAt} />
        </p>
      ) : (
        <p>{words.firstClickHint}</p>
      )}
      {lastUnknownRef && <p>{words.unknownRef(lastUnknownRef.ref)}</p>}
      {isLate && !hasCome && program && <Diagnosis program={program} tracking={tracking} />}
    </>
  );
}

function useIsLate(checkedAt: number | undefined): boolean {
  const [late, setLate] = useState<number>();
  useEffect(() => {
    if (checkedAt === undefined) return undefined;
    const timer = setTimeout(() => setLate(checkedAt), patienceMs);
    return () => clearTimeout(timer);
  }, [checkedAt]);
  return checkedAt !== undefined && late === checkedAt;
}

/** What may be wrong, by what is known: where clicks did come from, and what else keeps them away. */
function Diagnosis({
  program,
  tracking: { origins, script },
}: {
  program: Program;
  tracking: Tracking;
}) {
  const own = new URL(program.websiteUrl).host;
  const others = origins.filter(({ origin }) => new URL(origin).host !== own);
  return (
    <div role="alert" className="notice-box">
      <p>{words.noClick}</p>
      <ul>
        {others.length > 0 && (
          <li>{words.otherOrigins(others.map(({ origin }) => origin).join(', '), own)}</li>
        )}
        <li>{words.isTagThere}</li>
        <li>{words.isKeyRight}</li>
        <li>{words.isAllowed(new URL(script.url).origin)}</li>
        <li>{words.isBlocked}</li>
      </ul>
    </div>
  );
}
