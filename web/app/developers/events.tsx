import { text } from '../../text/en';
import { developers as words } from '../../text/en/app/developers';
import { DialogButton } from '../../ui/dialog';
import { Section } from '../../ui/page';
import { Filter, useFilters } from '../../ui/filters';
import { List } from '../../ui/list';
import { When } from '../../ui/values';
import { eventKinds } from './event-kinds';

/** What happened in the last 30 days, as webhooks tell it. */
export function Events() {
  const asked = useFilters('webhooks.listEvents');
  return (
    <Section title={words.eventList}>
      <div className="filters">
        <Filter
          call="webhooks.listEvents"
          field="type"
          label={words.kind}
          options={eventKinds.map((one) => [one, one] as const)}
        />
      </div>
      <List
        call="webhooks.listEvents"
        fields={{ type: asked.type, limit: 10 }}
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
