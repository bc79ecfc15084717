import type { StripeConnectionDto, StripeEventDto } from '../../session/records';
import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf } from '../../ui/format';
import { ActButton } from '../../ui/ask';
import { Loaded, Section } from '../../ui/page';
import { List, Filter, useListSearch } from '../../ui/table';
import { Badge, Copyable, Facts, When } from '../../ui/values';
import { Connect } from './connect-stripe';

const words = text.app.developers;
const statuses = ['received', 'retrying', 'processed', 'ignored', 'waiting', 'failed'] as const;

export function Stripe() {
  const path = '/api/v1/workspace/stripe';
  const connection = useApi<StripeConnectionDto>(path);
  const may = useMay('admin');
  return (
    <Section title={words.stripe}>
      <Loaded query={connection}>
        {(one) => (
          <>
            <Facts
              of={[
                [text.status, <Badge key="status" status={one.status} />],
                [words.endpoint, one.url && <Copyable key="url" value={one.url} />],
                [words.lastEvent, <When key="last" at={one.lastEventAt} />],
                [words.lastError, one.lastError],
                [words.missingKinds, one.missingKinds?.join(', ') || null],
              ]}
            />
            {may && <Connect path={path} of={one} />}
          </>
        )}
      </Loaded>
    </Section>
  );
}

export function StripeEvents() {
  const { search } = useListSearch();
  const path = '/api/v1/workspace/stripe/events';
  const may = useMay('admin');
  return (
    <Section title={words.stripeEvents}>
      <div className="filters">
        <Filter name="stripe" label={text.status} options={optionsOf(statuses)} />
      </div>
      <List<StripeEventDto>
        path={path}
        query={{ status: search['stripe'] }}
        name="stripePage"
        caption={words.stripeEvents}
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
                  call={{ path: `${path}/${id}/replay`, method: 'POST', body: {} }}
                />
              ),
          },
        ]}
        empty={words.noStripeEvents}
      />
    </Section>
  );
}
