import { createContext, useContext, useSyncExternalStore } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { fieldsOf, type Answer, type Fields, type Name } from './operations';
import { sideNames, type Account, type Mode, type Role, type Session } from './session';

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

/** How operations name one's own side. */
export function useSideName() {
  return sideNames[useSession().side];
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

/** How often something is asked again; of what was answered, where that matters. */
type Refetch<T> = number | ((answer: T | undefined) => number | false);

/** What an operation is asked with, which may be left out where it can; `false`: not asked for yet. */
export type Asked<N extends Name> =
  Record<never, never> extends Fields<N>
    ? [fields?: Fields<N> | false, refetchMs?: Refetch<Answer<N>>]
    : [fields: Fields<N> | false, refetchMs?: Refetch<Answer<N>>];

/** What an operation answers, kept while it is fresh. */
export function useAnswer<N extends Name>(name: N, ...[fields, refetchMs]: Asked<N>) {
  const session = useSession();
  const mode = useMode();
  const given = fieldsOf<N>({ fields: fields || {} });
  return useQuery<Answer<N>>({
    queryKey: [name, given, mode],
    queryFn: () => session.ask(name, given, mode),
    enabled: fields !== false,
    ...(refetchMs !== undefined && {
      refetchInterval: ({ state }) =>
        typeof refetchMs === 'number' ? refetchMs : refetchMs(state.data),
    }),
  });
}

/** Changes something, in the mode of the address; then everything that is shown is asked for anew. */
export function useChange<N extends Name>(name: N, onDone?: (answer: Answer<N>) => void) {
  const session = useSession();
  const mode = useMode();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fields: Fields<N>) => session.ask(name, fields, mode),
    onSuccess: async (answer) => {
      onDone?.(answer);
      await queries.invalidateQueries();
    },
  });
}
