import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useApi, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { Page } from '../../ui/page';
import {
  Chosen,
  DayFilter,
  Filter,
  List,
  SearchBox,
  useListSearch,
  type Column,
} from '../../ui/table';
import { Avatar, Badge, Money, When } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import { StatusTabs } from './status-tabs';
import { Selected } from './selected-commissions';
import { isDecidable, tickColumn, type Chosen as Ticked } from './ticks';
import type { Commission, CommissionStatsDto } from '../../session/records';
import { useProgram } from '../use-program';

const words = text.app.commissions;
const path = '/api/v1/commissions';

export default function CommissionsPage() {
  const { search, asked } = useListSearch();
  const filters = { ...asked, programId: search['program'] };
  const stats = useApi<CommissionStatsDto>(`${path}/stats`, {
    ...filters,
    ...{ status: undefined, sortBy: undefined, sortOrder: undefined },
    ...{ page: undefined, limit: undefined },
  });
  return (
    <Page title={words.title} actions={<ExportButton path={`${path}/export`} query={filters} />}>
      <Filters stats={stats.data} />
      <StatusTabs stats={stats}>
        <Work filters={filters} />
      </StatusTabs>
    </Page>
  );
}

function Filters({ stats }: { stats: CommissionStatsDto | undefined }) {
  const { search } = useListSearch();
  const { all: programs } = useProgram();
  const known = Object.values(stats?.byStatus ?? {}).flatMap(({ amounts }) =>
    amounts.map(({ currency }) => currency),
  );
  const currencies = [...new Set([...known, ...(search['currency'] ? [search['currency']] : [])])];
  return (
    <div className="filters">
      <SearchBox />
      <Filter name="needsReview" label={words.review} options={[['true', words.needsReview]]} />
      {programs.length > 1 && (
        <Filter
          name="program"
          label={text.program}
          options={programs.map(({ id, name }) => [id, name] as const)}
        />
      )}
      {currencies.length > 1 && (
        <Filter
          name="currency"
          label={words.currency}
          options={currencies.map((one) => [one, one.toUpperCase()] as const)}
        />
      )}
      <DayFilter name="dateFrom" label={text.from} />
      <DayFilter name="dateTo" label={text.to} />
      <Chosen name="participantId" label={text.partner} />
    </div>
  );
}

/** The list, and what is ticked in it: ticks outlast pages and filters. */
function Work({ filters }: { filters: Record<string, string | undefined> }) {
  const may = useMay('member');
  const isOne = useProgram().all.length < 2;
  const [chosen, setChosen] = useState<Ticked>(new Map());
  return (
    <>
      <List<Commission>
        path={path}
        query={filters}
        caption={words.title}
        columns={(rows) => [
          ...(may && rows.some(isDecidable) ? [tickColumn(rows, chosen, setChosen)] : []),
          ...columns.filter(({ title }) => title !== text.program || !isOne),
        ]}
        sizes={['20', '50', '100']}
        empty={words.empty}
      />
      {may && <Selected filters={filters} chosen={chosen} choose={setChosen} />}
    </>
  );
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
  {
    title: text.partner,
    sort: 'partnerName',
    cell: ({ partnerName }) => (
      <span className="who">
        <Avatar name={partnerName} />
        <span>{partnerName}</span>
      </span>
    ),
  },
  { title: text.program, cell: ({ programName }) => programName },
  {
    title: text.status,
    sort: 'status',
    cell: ({ status, needsReview }) => (
      <>
        <Badge status={status} /> {needsReview && <Badge status="needs_review" />}
      </>
    ),
  },
  {
    title: words.sale,
    isNumber: true,
    // An adjustment and a bonus are of no sale.
    cell: ({ commissionType, conversionAmountCents, currency }) =>
      commissionType === 'adjustment' || commissionType === 'bonus' ? (
        words[commissionType]
      ) : (
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
