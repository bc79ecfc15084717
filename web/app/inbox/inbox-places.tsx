import { useQueries } from '@tanstack/react-query';
import type { InboxDto, Webhook } from '../../session/records';
import { useApi, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { formatCount } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import type { Paged } from '../../ui/table';
import { useProgram } from '../use-program';

type Search = Record<string, string>;

/** A list that shows what waits, and how the API is asked for as many. */
interface Place {
  /** Of the programme or webhook. */
  id: string;
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

/** How much of a kind waits in all, and a link to each list that holds some of it. */
export function Placed({ kind, count }: { kind: PlacedKind; count: number }) {
  return (
    <li className="placed">
      <b>{formatCount(count)}</b> {text.app.inbox.kinds[kind][count === 1 ? 0 : 1]}
      <ul className="chips">
        {useOpenPlaces(kind, count).map(({ id, name, to, search }) => (
          <li key={id}>
            <FilteredLink to={to} search={search}>
              {name}
            </FilteredLink>
          </li>
        ))}
      </ul>
    </li>
  );
}

/** Asked again when the count has changed; a list that does not answer is left out. */
function useOpenPlaces(kind: PlacedKind, count: number): Place[] {
  const places = usePlaces(kind);
  const session = useSession();
  const mode = useMode();
  const totals = useQueries({
    queries: places.map(({ path, query }) => ({
      queryKey: [path, { ...query, limit: 1 }, mode, count],
      queryFn: () => session.call<Paged<unknown>>(path, { query: { ...query, limit: 1 }, mode }),
    })),
  });
  return places.filter((_place, index) => (totals[index]?.data?.total ?? 0) > 0);
}

function usePlaces(kind: PlacedKind): Place[] {
  const { all } = useProgram();
  const isOfWebhooks = kind === 'deadLetters';
  const webhooks = useApi<Paged<Webhook>>(isOfWebhooks ? '/api/v1/webhooks' : undefined, {
    limit: 100,
  });
  if (isOfWebhooks) {
    return (webhooks.data?.data ?? []).map(({ id, url }) => ({
      id,
      name: url,
      to: `/developers/webhooks/${id}`,
      search: { status: 'dead_letter' },
      path: `/api/v1/webhooks/${id}/deliveries`,
      query: { status: 'dead_letter' },
    }));
  }
  return all.map(({ id, name }) => {
    const { to, path, query, search = query } = ofProgram[kind](id);
    return { id, name, to, path, query, search: { ...search, program: id } };
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
