import { useQueries } from '@tanstack/react-query';
import type { InboxDto, Webhook } from '../session/records';
import { useApi, useMode, useSession } from '../session/use-session';
import { text } from '../text/en';
import { formatCount } from '../ui/format';
import { FilteredLink } from '../ui/link';
import type { Paged } from '../ui/table';
import { useProgram } from './use-program';

type Search = Record<string, string>;

/** A list that shows what waits, and how the API is asked for as many. */
interface Place {
  name: string;
  to: string;
  search: Search;
  path: string;
  query: Search;
}

/** Kinds that wait in a programme, or at a webhook, each of which has a list of its own. */
export type PlacedKind = Extract<
  keyof InboxDto,
  'applications' | 'fraudFlags' | 'deadLetters' | 'payoutsProcessing' | 'debts'
>;

/** One link for each place where something of the kind waits. */
export function Places({ kind }: { kind: PlacedKind }) {
  const places = usePlaces(kind);
  const session = useSession();
  const mode = useMode();
  const totals = useQueries({
    queries: places.map(({ path, query }) => ({
      queryKey: [path, { ...query, limit: 1 }, mode],
      queryFn: () => session.call<Paged<unknown>>(path, { query: { ...query, limit: 1 }, mode }),
    })),
  });
  const open = places
    .map((place, index) => ({ ...place, total: totals[index]?.data?.total ?? 0 }))
    .filter(({ total }) => total > 0);
  return open.map(({ name, to, search, total }) => (
    <li key={to + name}>
      <FilteredLink to={to} search={search}>
        <b>{formatCount(total)}</b> {text.app.inbox.kinds[kind]}{' '}
        <span className="fine">{name}</span>
      </FilteredLink>
    </li>
  ));
}

function usePlaces(kind: PlacedKind): Place[] {
  const { all } = useProgram();
  const isOfWebhooks = kind === 'deadLetters';
  const webhooks = useApi<Paged<Webhook>>(isOfWebhooks ? '/api/v1/webhooks' : undefined, {
    limit: 100,
  });
  if (isOfWebhooks) {
    return (webhooks.data?.data ?? []).map(({ id, url }) => ({
      name: url,
      to: `/developers/webhooks/${id}`,
      search: { status: 'dead_letter' },
      path: `/api/v1/webhooks/${id}/deliveries`,
      query: { status: 'dead_letter' },
    }));
  }
  return all.map(({ id, name }) => {
    const { to, path, query, search = query } = ofProgram[kind](id);
    return { name, to, path, query, search: { ...search, program: id } };
  });
}

type Lists = (id: string) => { to: string; path: string; query: Search; search?: Search };

const ofProgram: Record<Exclude<PlacedKind, 'deadLetters'>, Lists> = {
  applications: (id) => ({
    to: '/partners',
    path: `/api/v1/programs/${id}/partners`,
    query: { status: 'pending' },
  }),
  debts: (id) => ({
    to: '/partners',
    path: `/api/v1/programs/${id}/partners`,
    query: { owes: 'true' },
  }),
  fraudFlags: (id) => ({
    to: '/programme',
    path: `/api/v1/programs/${id}/fraud-flags`,
    query: { state: 'open' },
    search: { flags: 'open' },
  }),
  payoutsProcessing: (id) => ({
    to: '/payouts',
    path: '/api/v1/payouts',
    query: { programId: id, status: 'processing' },
    search: { status: 'processing' },
  }),
};
