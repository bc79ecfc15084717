import { createContext, useContext, useSyncExternalStore } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { Account, Call, Mode, Query, Role, Session } from './session';

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session around this component.');
  return session;
}

/** Who is signed in; undefined for nobody. */
export function useAccount(): Account | undefined {
  const session = useSession();
  return useSyncExternalStore(session.subscribe, session.snapshot);
}

/** Where one's own account of either side is changed. */
export function useAuthPath(): string {
  return `/api/v1/auth/${useSession().side}`;
}

const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner'];

/** Whether the member may do what needs this role. Partners have none and may do all that is theirs. */
export function useMay(role: Role): boolean {
  const own = useAccount()?.role;
  return own === undefined || ranks.indexOf(own) >= ranks.indexOf(role);
}

/** Test or live, as the address says; a new workspace begins in test, a partner is paid in live. */
export function useMode(): Mode {
  const { side } = useSession();
  const { mode }: { mode?: unknown } = useSearch({ strict: false });
  if (mode === 'live' || mode === 'test') return mode;
  return side === 'partner' ? 'live' : 'test';
}

/** What the API answers to a GET, kept while it is fresh; undefined path: not asked for yet. */
export function useApi<T>(
  path: string | undefined,
  query?: Query,
  /** How often it is asked again; of what was answered, where that matters. */
  refetchMs?: number | ((answer: T | undefined) => number | false),
) {
  const session = useSession();
  const mode = useMode();
  return useQuery<T>({
    queryKey: [path, query, mode],
    queryFn: () => session.call<T>(path ?? '', { query, mode }),
    enabled: path !== undefined,
    ...(refetchMs !== undefined && {
      refetchInterval: ({ state }) =>
        typeof refetchMs === 'number' ? refetchMs : refetchMs(state.data),
    }),
  });
}

/** In the mode of the address. */
export interface Change extends Omit<Call, 'mode'> {
  path: string;
}

/** Changes something; then everything that is shown is asked for anew. */
export function useChange<T = unknown>(onDone?: (answer: T) => void) {
  const session = useSession();
  const mode = useMode();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ path, ...call }: Change) => session.call<T>(path, { mode, ...call }),
    onSuccess: async (answer) => {
      onDone?.(answer);
      await queries.invalidateQueries();
    },
  });
}
