import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { formatCount } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded, Page } from '../../ui/page';

const words = text.app.inbox;

type Kind = keyof typeof words.kinds;
type Counts = Record<Kind, number>;

const places: Record<Kind, { to: string; search?: Record<string, string> }> = {
  applications: { to: '/partners', search: { status: 'pending' } },
  review: { to: '/commissions', search: { needsReview: 'true', status: 'pending' } },
  fraudFlags: { to: '/programme' },
  deadLetters: { to: '/developers' },
  stripeFailures: { to: '/developers', search: { stripe: 'failed' } },
  payoutsProcessing: { to: '/payouts', search: { status: 'processing' } },
  debts: { to: '/partners' },
};

const everyMs = 15_000;

export default function InboxPage() {
  const counts = useApi<Counts>('/api/v1/workspace/inbox', undefined, everyMs);
  return (
    <Page title={words.title}>
      <Loaded query={counts}>
        {(found) => {
          const open = (Object.keys(places) as Kind[]).filter((kind) => found[kind] > 0);
          if (open.length === 0) return <p className="empty">{words.empty}</p>;
          return (
            <ul className="tasks">
              {open.map((kind) => (
                <li key={kind}>
                  <FilteredLink to={places[kind].to} search={places[kind].search ?? {}}>
                    <b>{formatCount(found[kind])}</b> {words.kinds[kind]}
                  </FilteredLink>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Page>
  );
}
