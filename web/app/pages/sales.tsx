import { Link, useNavigate } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useApi, useMode, useSession } from '../../session/use-session';
import { text } from '../../text/en';
import { inWords } from '../../ui/format';
import { Loaded, Page } from '../../ui/page';
import { Filter, Pager, Table, useListSearch, type Column, type Paged } from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';
import { TryButton } from '../try-sale';
import type { Conversion } from '../types';

const words = text.app.sales;

export default function SalesPage() {
  const { search } = useListSearch();
  const list = useApi<Paged<Conversion>>('/api/v1/conversions', {
    page: search.page,
    attributed: search['attributed'],
    dateFrom: search['dateFrom'],
  });
  return (
    <Page title={words.title} actions={<TryButton />}>
      <div className="filters">
        <Ask />
        <Filter
          name="attributed"
          label={words.credited}
          options={[
            ['true', text.yes],
            ['false', text.no],
          ]}
        />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Table
              caption={words.title}
              columns={columns}
              rows={found.data}
              rowKey={({ id }) => id}
              empty={words.empty}
            />
            <Pager of={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const columns: readonly Column<Conversion>[] = [
  {
    title: words.reported,
    cell: ({ id, created_at }) => (
      <Link to={`/sales/${id}`}>
        <When at={created_at} />
      </Link>
    ),
  },
  {
    title: words.id,
    cell: ({ external_transaction_id }) => <code>{external_transaction_id}</code>,
  },
  { title: words.kind, cell: ({ event_type }) => inWords(event_type) },
  {
    title: words.credited,
    cell: ({ attributed, attribution }) =>
      attributed ? words.credited : inWords(attribution.reason),
  },
  {
    title: words.commission,
    cell: ({ commission }) => (commission ? <Badge status={commission.status} /> : text.nothing),
  },
  {
    title: text.amount,
    isNumber: true,
    cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
  },
];

/** Opens the sale behind any id that is known of it. */
function Ask() {
  const session = useSession();
  const mode = useMode();
  const navigate = useNavigate();
  const [said, setSaid] = useState('');
  const find = async (id: string): Promise<string | undefined> => {
    const asked = (query: Record<string, string>) =>
      session
        .call<Paged<{ conversion_id: string }>>('/api/v1/attribution/decisions', {
          query: { limit: 1, ...query },
          mode,
        })
        .then(({ data }) => data[0]?.conversion_id)
        .catch(() => undefined);
    const whole = await session
      .call<Conversion>(`/api/v1/conversions/${encodeURIComponent(id)}`, { mode })
      .catch(() => undefined);
    return (
      whole?.id ?? (await asked({ external_transaction_id: id })) ?? (await asked({ click_id: id }))
    );
  };
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const id = String(new FormData(event.currentTarget).get('id')).trim();
    if (id === '') return;
    const found = await find(id);
    setSaid(found === undefined ? words.notFound(id) : '');
    if (found !== undefined) await navigate({ to: `/sales/${found}` });
  };
  return (
    <form role="search" className="filter" onSubmit={(event) => void submit(event)}>
      <input type="search" name="id" aria-label={words.ask} placeholder={words.askHint} />
      <span role="status">{said}</span>
    </form>
  );
}
