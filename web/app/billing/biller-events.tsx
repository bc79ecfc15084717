import type { BillerEventDto, StripeEventDto } from '../../session/records';
import { useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { ActButton } from '../../ui/ask';
import { optionsOf } from '../../ui/format';
import { Section } from '../../ui/page';
import { List, Filter, useListSearch } from '../../ui/table';
import { Badge, When } from '../../ui/values';
import { ways, type Biller } from './ways';

const words = text.app.billing;
const statuses = ['received', 'retrying', 'processed', 'ignored', 'waiting', 'failed'] as const;

type AnyEvent = Pick<BillerEventDto, keyof BillerEventDto & keyof StripeEventDto>;

/** What a biller told, and what became of it. The inbox leads to what failed. */
export function BillerEvents({ biller }: { biller: Biller }) {
  const { search } = useListSearch();
  const path = `${ways[biller].path}/events`;
  const filter = biller === 'stripe' ? 'stripe' : 'biller';
  const name = text.billers[biller];
  const may = useMay('admin');
  return (
    <Section title={words.eventsOf(name)}>
      <div className="filters">
        <Filter name={filter} label={text.status} options={optionsOf(statuses)} />
      </div>
      <List<AnyEvent>
        path={path}
        query={{ status: search[filter] }}
        name={`${biller}Page`}
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
                  call={{ path: `${path}/${id}/replay`, method: 'POST', body: {} }}
                />
              ),
          },
        ]}
        empty={words.noEvents(name)}
      />
    </Section>
  );
}
