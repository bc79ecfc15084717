import type { EventDto } from '../../session/records';
import { useApi } from '../../session/use-session';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Loaded, Section } from '../../ui/page';
import { Filter, Pager, Table, useListSearch, type Paged } from '../../ui/table';
import { When } from '../../ui/values';
import { eventKinds } from './event-kinds';

const words = text.app.developers;

/** What happened in the last 30 days, as webhooks tell it. */
export function Events() {
  const { search } = useListSearch();
  const events = useApi<Paged<EventDto>>('/api/v1/events', {
    page: search['eventsPage'],
    type: search['type'],
    limit: 10,
  });
  return (
    <Section title={words.eventList}>
      <div className="filters">
        <Filter
          name="type"
          label={words.kind}
          options={eventKinds.slice(1).map((one) => [one, one] as const)}
        />
      </div>
      <Loaded query={events}>
        {(found) => (
          <>
            <Table
              caption={words.eventList}
              columns={[
                { title: text.created, cell: ({ created_at }) => <When at={created_at} /> },
                { title: words.kind, cell: ({ type }) => <code>{type}</code> },
                {
                  title: text.details,
                  cell: (event) => (
                    <DialogButton label={words.show} title={event.type}>
                      {() => <Json of={event} />}
                    </DialogButton>
                  ),
                },
              ]}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.noEvents}
            />
            <Pager of={found} name="eventsPage" />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** A record as the API sends it. */
export function Json({ of }: { of: unknown }) {
  return (
    <pre className="json" tabIndex={0}>
      {JSON.stringify(of, null, 2)}
    </pre>
  );
}
