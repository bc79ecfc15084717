import type { InboxDto, InboxPlaceDto } from '../../session/records';
import { inbox as words } from '../../text/en/app/inbox';
import { formatCount } from '../../ui/format';
import { FilteredLink } from '../../ui/link';

/** Kinds that wait in a programme, or at a webhook, each of which has a list of its own. */
export type PlacedKind = Extract<
  keyof InboxDto,
  'applications' | 'fraudFlags' | 'deadLetters' | 'payoutsProcessing' | 'debts'
>;

interface PlacedProps {
  kind: PlacedKind;
  count: number;
  /** Places of all kinds, the fullest first; those that the page did not ask for are left out. */
  places: readonly InboxPlaceDto[];
}

/** How much of a kind waits in all, and a link to each list that holds some of it. */
export function Placed({ kind, count, places }: PlacedProps) {
  const own = places.filter((place) => place.kind === kind);
  return (
    <li className="placed">
      <b>{formatCount(count)}</b> {words.kinds[kind][count === 1 ? 0 : 1]}
      <ul className="chips">
        {own.map((place) => (
          <li key={place.programId ?? place.webhookId}>
            <FilteredLink {...listOf[kind](place)}>
              <span className="long" title={place.name}>
                {place.name}
              </span>{' '}
              {own.length > 1 && <b>{formatCount(place.count)}</b>}
            </FilteredLink>
          </li>
        ))}
      </ul>
    </li>
  );
}

type Search = Record<string, string | undefined>;
type ListOf = (place: InboxPlaceDto) => { to: string; search: Search };

const ofProgram =
  (to: string, filters: Search): ListOf =>
  ({ programId }) => ({ to, search: { ...filters, program: programId ?? undefined } });

const listOf: Record<PlacedKind, ListOf> = {
  applications: ofProgram('/partners', { status: 'pending' }),
  debts: ofProgram('/partners', { owes: 'true' }),
  fraudFlags: ofProgram('/programme', { flags: 'open' }),
  payoutsProcessing: ofProgram('/payouts', { status: 'processing' }),
  deadLetters: ({ webhookId }) => ({
    to: `/developers/webhooks/${webhookId}`,
    search: { status: 'dead_letter' },
  }),
};
