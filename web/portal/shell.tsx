import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { HandCoins, House, Link2, Percent, Settings, Store } from 'lucide-react';
import { Shell, type NavLink } from '../account/shell';
import { useAccount, useMode, useSession } from '../session/use-session';
import { nav } from '../text/en/portal/nav';
import { JoinAsStranger } from './join-terms';

const links: readonly NavLink[] = [
  ['/', nav.home, House],
  ['/links', nav.links, Link2],
  ['/earnings', nav.earnings, Percent],
  ['/payouts', nav.payouts, HandCoins],
  ['/programmes', nav.programmes, Store],
  ['/settings', nav.settings, Settings],
];

export function PartnerShell() {
  const isKnown = useOwnMode();
  const isOfOneMode = !useIsInOther();
  const { programId }: { programId?: string } = useParams({ strict: false });
  if (!isKnown) return null;
  const stranger = programId ? <JoinAsStranger /> : undefined;
  return <Shell links={links} stranger={stranger} isOfOneMode={isOfOneMode} />;
}

/** Whether this partner is in a programme of the mode that the page does not show; most are in none. */
function useIsInOther(): boolean {
  const session = useSession();
  const account = useAccount();
  const other = useMode() === 'live' ? 'test' : 'live';
  const found = useQuery({
    queryKey: ['other mode', account?.id, other],
    queryFn: () => session.ask('partnerPortal.listPrograms', { limit: 1 }, other),
    enabled: account !== undefined,
    staleTime: 60_000,
  });
  return (found.data?.total ?? 0) > 0;
}

/** How often somebody who is in no programme yet is looked for in one. */
const againMs = 3_000;

/**
 * Partners do not think in modes: where the address names none it is live, or test for those who are
 * in test programmes only. False until that is known.
 */
function useOwnMode(): boolean {
  const session = useSession();
  const account = useAccount();
  const navigate = useNavigate();
  const { mode: named }: { mode?: unknown } = useSearch({ strict: false });
  const isAsked = account !== undefined && named === undefined;
  const isIn = async (mode: 'test' | 'live'): Promise<boolean> => {
    const found = await session.ask('partnerPortal.listPrograms', { limit: 1 }, mode);
    return found.total > 0;
  };
  const own = useQuery({
    queryKey: ['own mode', account?.id],
    queryFn: async () => ((await isIn('live')) ? 'live' : (await isIn('test')) ? 'test' : null),
    enabled: isAsked,
    refetchInterval: ({ state }) => (state.data === null ? againMs : false),
  });
  const chosen = own.data ?? undefined;
  useEffect(() => {
    if (!isAsked || chosen === undefined) return;
    const search = (before: object): object => ({ ...before, mode: chosen });
    void navigate({ to: '.', search: search as never, replace: true });
  }, [isAsked, chosen, navigate]);
  return !isAsked || own.data === null || own.isError;
}
