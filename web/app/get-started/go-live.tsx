import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { getStarted as getStartedWords } from '../../text/en/app/get-started';
import { DialogButton } from '../../ui/dialog';
import { FilteredLink } from '../../ui/link';
import { Loaded } from '../../ui/page';
import { Form } from '../../ui/plain-form';
import { Copyable } from '../../ui/values';
import { useWhoBills, type Bills } from '../billing/who-bills';
import { practiceEmail } from './practice';
import type { Program, Tracking } from '../../session/records';
import { copyToLive, prepareLive, type LiveSecret, type Prepared } from './copy-live';

const words = getStartedWords.live;

/** What there is in live mode, whichever mode the page shows. */
export function useLiveState(lookMs: number) {
  const session = useSession();
  return useQuery({
    queryKey: ['live mode', session.account?.workspaceId],
    queryFn: async () => {
      const [programs, tracking, keys] = await Promise.all([
        session.ask('programmes.list', {}, 'live'),
        session.ask('workspace.getTracking', {}, 'live'),
        session.ask('apiKeys.list', { limit: 100 }, 'live'),
      ]);
      const key = keys.data.find((one) => one.kind === 'public' && one.mode === 'live' && one.key);
      return { hasProgram: programs.total > 0, tracking, key: key?.key ?? undefined };
    },
    // The page asks again only while it waits for the first click.
    refetchInterval: ({ state: { data } }) =>
      data?.hasProgram && !data.tracking.lastClickAt ? lookMs * 5 : false,
  });
}

type LiveState = NonNullable<ReturnType<typeof useLiveState>['data']>;

/** The last step: what was tried in test mode is made in live mode. */
interface GoLiveProps {
  program: Program | undefined;
  live: LiveState;
  /** Clicks and sales of the mode that the page shows. */
  tracking: Tracking;
}

export function GoLive({ program, live, tracking }: GoLiveProps) {
  const bills = useWhoBills(tracking);
  const isTried = tracking.lastClickAt !== null && tracking.lastConversionAt !== null;
  const mode = useMode();
  const [secrets, setSecrets] = useState<LiveSecret[]>([]);
  const may = useMay('admin');
  return (
    <>
      {live.hasProgram ? <LeftInLive live={live} bills={bills} /> : <p>{words.hint}</p>}
      {secrets.map(({ url, secret }) => (
        <p key={url}>
          {words.secretOf(url)} <Copyable value={secret} />
        </p>
      ))}
      {mode === 'test' && program && !live.hasProgram && (
        <p>
          {may ? (
            <DialogButton
              label={words.goLive}
              title={words.title}
              className={isTried ? 'primary' : undefined}
            >
              {(close) => (
                <Ask
                  program={program}
                  done={(made) => {
                    setSecrets(made);
                    close();
                  }}
                />
              )}
            </DialogButton>
          ) : (
            text.notAllowed
          )}
        </p>
      )}
    </>
  );
}

/** A connection and a tag are of one mode, and test partners are nobody: these are still to do. */
function LeftInLive({ live: { tracking, key }, bills }: { live: LiveState; bills: Bills }) {
  return (
    <>
      <p>{tracking.lastClickAt ? words.isLive : words.made}</p>
      <ol className="story">
        <li>
          <p>{words.tagHint}</p>
          {key ? (
            <Copyable
              value={`<script async src="${tracking.script.url}" data-merchant="${key}" data-keep></script>`}
            />
          ) : (
            <p>{getStartedWords.noKey}</p>
          )}
        </li>
        <li>
          {bills === 'another' ? (
            <>
              {words.ownServer}{' '}
              <FilteredLink to="/developers" search={{ mode: 'live' }}>
                {words.makeKey}
              </FilteredLink>
            </>
          ) : (
            <>
              <FilteredLink
                to="/developers"
                search={{ mode: 'live', part: 'billing', billing: bills }}
              >
                {words.connect(text.billers[bills])}
              </FilteredLink>{' '}
              <span className="fine">{words.connectHint}</span>
            </>
          )}
        </li>
        <li>
          <FilteredLink to="/partners" search={{ mode: 'live' }}>
            {words.inviteThere}
          </FilteredLink>{' '}
          <span className="fine">{words.inviteHint}</span>
        </li>
      </ol>
      {!tracking.lastClickAt && <p className="fine">{words.next}</p>}
    </>
  );
}

/** A list of what will be made, and what will not. */
function Ask({ program, done }: { program: Program; done: (made: LiveSecret[]) => void }) {
  const session = useSession();
  const queries = useQueryClient();
  const prepared = useQuery({
    queryKey: ['for live mode', program.id],
    queryFn: async () => {
      const from = await prepareLive(session, program);
      const practice = practiceEmail(session.account?.workspaceId ?? '');
      // Nobody is invited in the name of the one who is nobody.
      const partners = from.partners.filter(({ partnerEmail }) => partnerEmail !== practice);
      return { ...from, partners };
    },
    staleTime: 0,
  });
  return (
    <Loaded query={prepared}>
      {(from) => (
        <Form
          submit={words.goLive}
          onSubmit={async () => {
            const made = await copyToLive(session, from);
            await queries.invalidateQueries();
            done(made);
          }}
        >
          <p>{words.makes}</p>
          <ul className="story">
            {listOf(from).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
          <p>{words.unmoved}</p>
          {leftOut(from).length > 0 && (
            <>
              <p>{words.leavesOut}</p>
              <ul className="story">
                {leftOut(from).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </>
          )}
        </Form>
      )}
    </Loaded>
  );
}

const listOf = ({
  program,
  groups,
  tiers,
  bonuses,
  rules,
  fraudRules,
  webhooks,
}: Prepared): string[] => [
  words.program(program.name),
  ...(groups.length > 0 ? [words.groups(groups.map(({ name }) => name).join(', '))] : []),
  ...(tiers.steps.length > 0 ? [words.tiers(tiers.steps.length)] : []),
  ...(bonuses.length > 0 ? [words.bonuses(bonuses.map(({ name }) => name).join(', '))] : []),
  ...(rules.length > 0 ? [words.rules(rules.map(({ name }) => name).join(', '))] : []),
  words.fraud(fraudRules.filter(({ action }) => action !== 'off').length),
  ...webhooks.map(({ url }) => words.webhook(url)),
];

const leftOut = ({ leftOut: rules, leftOutWebhooks, partners }: Prepared): string[] => [
  ...rules.map(({ name }) => words.ruleOfPartners(name)),
  ...leftOutWebhooks.map(({ url }) => words.plainWebhook(url)),
  ...(partners.length > 0
    ? [words.partners(partners.map(({ partnerName }) => partnerName).join(', '))]
    : []),
];
