import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { billing as words } from '../../text/en/app/billing';
import { ActButton } from '../../ui/ask';
import { optionsOf } from '../../ui/format';
import { Section } from '../../ui/page';
import { Filter, useListSearch } from '../../ui/filters';
import { List } from '../../ui/list';
import { Badge, When } from '../../ui/values';
import type { Biller } from './ways';

const statuses = ['received', 'retrying', 'processed', 'ignored', 'waiting', 'failed'] as const;

/** What a biller told, and what became of it. The inbox leads to what failed. */
export function BillerEvents({ biller }: { biller: Biller }) {
  const { search } = useListSearch();
  const isStripe = biller === 'stripe';
  const filter = isStripe ? 'stripe' : 'biller';
  const status = statuses.find((one) => one === search[filter]);
  const name = text.billers[biller];
  const may = useMay('admin');
  return (
    <Section title={words.eventsOf(name)}>
      <div className="filters">
        <Filter
          call="billers.listEvents"
          field="status"
          name={filter}
          label={text.status}
          options={optionsOf(statuses)}
        />
      </div>
      <List
        call={isStripe ? 'stripe.listEvents' : 'billers.listEvents'}
        fields={isStripe ? { status } : { biller, status }}
        name={`${biller}Page`}
        filters={[filter]}
        caption={words.eventsOf(name)}
        columns={[
          { title: text.created, cell: ({ receivedAt }) => <When at={receivedAt} /> },
          { title: words.kind, cell: ({ type }) => <code>{type}</code> },
          { title: text.status, cell: ({ status }) => <Badge status={status} /> },
          { title: words.lastError, cell: ({ error }) => error ?? text.nothing },
          {
            title: text.actions,
            cell: ({ id }) =>
              may && (
                <ActButton
                  label={words.replay}
                  call={isStripe ? 'stripe.replayEvent' : 'billers.replayEvent'}
                  fields={isStripe ? { eventId: id } : { biller, eventId: id }}
                />
              ),
          },
        ]}
        empty={words.noEvents(name)}
      />
    </Section>
  );
}
