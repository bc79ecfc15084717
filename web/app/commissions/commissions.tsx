import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { optionsOf } from '../../ui/format';
import { Loaded, Page } from '../../ui/page';
import {
  Chosen,
  DayFilter,
  Filter,
  Pager,
  SearchBox,
  Table,
  useListSearch,
  type Column,
  type Paged,
} from '../../ui/table';
import { Badge, Money, When } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import { Totals, statuses } from './commission-totals';
import { Selected } from './selected-commissions';
import type { Commission } from '../../session/records';
import { useProgram } from '../use-program';

const words = text.app.commissions;

export default function CommissionsPage() {
  const { search, asked } = useListSearch();
  const filters = { ...asked, programId: search['program'] };
  const { all: programs } = useProgram();
  const may = useMay('member');
  const list = useApi<Paged<Commission>>('/api/v1/commissions', filters);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  return (
    <Page
      title={words.title}
      actions={<ExportButton path="/api/v1/commissions/export" query={filters} />}
    >
      <Totals filters={filters} />
      <div className="filters">
        <SearchBox />
        <Filter name="status" label={text.status} options={optionsOf(statuses, text.statuses)} />
        <Filter name="needsReview" label={words.review} options={[['true', words.needsReview]]} />
        <Filter
          name="program"
          label={text.program}
          options={programs.map(({ id, name }) => [id, name] as const)}
        />
        <DayFilter name="dateFrom" label={text.from} />
        <DayFilter name="dateTo" label={text.to} />
        <SearchBox name="currency" label={words.currency} />
        <Chosen name="participantId" label={text.partner} />
      </div>
      <Loaded query={list}>
        {(found) => (
          <>
            <Selected
              of={found.data.filter(({ id }) => chosen.has(id))}
              clear={() => setChosen(new Set())}
            />
            <Table
              caption={words.title}
              columns={[...(may ? [tick(chosen, setChosen)] : []), ...columns]}
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

type Choose = (chosen: ReadonlySet<string>) => void;

function tick(chosen: ReadonlySet<string>, choose: Choose): Column<Commission> {
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  return {
    title: words.selected,
    cell: ({ id, partnerName }) => (
      <input
        type="checkbox"
        aria-label={words.select(partnerName)}
        checked={chosen.has(id)}
        onChange={() => toggle(id)}
      />
    ),
  };
}

const columns: readonly Column<Commission>[] = [
  {
    title: text.created,
    sort: 'createdAt',
    cell: ({ id, programId, createdAt }) => (
      <Link to={`/commissions/${programId}/${id}`}>
        <When at={createdAt} />
      </Link>
    ),
  },
  { title: text.partner, sort: 'partnerName', cell: ({ partnerName }) => partnerName },
  { title: text.program, cell: ({ programName }) => programName },
  {
    title: text.status,
    sort: 'status',
    cell: ({ status, needsReview }) => (
      <>
        <Badge status={status} />
        {needsReview && <Badge status="needs_review" />}
      </>
    ),
  },
  {
    title: words.sale,
    isNumber: true,
    cell: ({ conversionAmountCents, currency }) => (
      <Money cents={conversionAmountCents} currency={currency} />
    ),
  },
  {
    title: text.amount,
    sort: 'amountCents',
    isNumber: true,
    cell: ({ amountCents, currency }) => <Money cents={amountCents} currency={currency} />,
  },
];
