import type { EventDto } from '../../session/records';
import { text } from '../../text/en';
import { DialogButton } from '../../ui/dialog';
import { Section } from '../../ui/page';
import { List, Filter, useListSearch } from '../../ui/table';
import { When } from '../../ui/values';
import { eventKinds } from './event-kinds';

const words = text.app.developers;

/** What happened in the last 30 days, as webhooks tell it. */
export function Events() {
  const { search } = useListSearch();
  return (
    <Section title={words.eventList}>
      <div className="filters">
        <Filter
          name="type"
          label={words.kind}
          options={eventKinds.slice(1).map((one) => [one, one] as const)}
        />
      </div>
      <List<EventDto>
        path="/api/v1/events"
        query={{ type: search['type'], limit: 10 }}
        name="eventsPage"
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
        empty={words.noEvents}
      />
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
