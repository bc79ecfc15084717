import type { InboxDto } from '../../session/records';
import { useAnswer } from '../../session/use-session';
import { inbox as words } from '../../text/en/app/inbox';
import { formatCount } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page } from '../../ui/page';
import { Placed, type PlacedKind } from './inbox-places';

type Kind = keyof InboxDto;

/** What waits in one list of the whole workspace; the other kinds have lists in several places. */
const lists: Record<Exclude<Kind, PlacedKind>, { to: string; search: Record<string, string> }> = {
  review: { to: '/commissions', search: { needsReview: 'true', status: 'pending' } },
  payoutAttention: { to: '/payouts', search: { status: 'processing' } },
  stripeFailures: {
    to: '/developers',
    search: { part: 'billing', billing: 'stripe', stripe: 'failed' },
  },
  billerFailures: { to: '/developers', search: { part: 'billing', biller: 'failed' } },
};

const isListed = (kind: Kind): kind is keyof typeof lists => kind in lists;

const everyMs = 15_000;

export default function InboxPage() {
  const counts = useAnswer('workspace.getInbox', {}, everyMs);
  const places = useAnswer('workspace.listInboxPlaces', { limit: 100 }, everyMs);
  return (
    <Page title={words.title}>
      <Loaded query={counts}>
        {(found) => {
          const open = (Object.keys(words.kinds) as Kind[]).filter((kind) => found[kind] > 0);
          if (open.length === 0) return <p className="empty">{words.empty}</p>;
          return (
            <ul className="tasks">
              {open.map((kind) =>
                isListed(kind) ? (
                  <li key={kind}>
                    <FilteredLink {...lists[kind]}>
                      <b>{formatCount(found[kind])}</b>{' '}
                      {words.kinds[kind][found[kind] === 1 ? 0 : 1]}
                    </FilteredLink>
                  </li>
                ) : (
                  <Placed
                    key={kind}
                    kind={kind}
                    count={found[kind]}
                    places={places.data?.data ?? []}
                  />
                ),
              )}
            </ul>
          );
        }}
      </Loaded>
    </Page>
  );
}
