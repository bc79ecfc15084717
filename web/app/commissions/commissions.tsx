import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import type { Filters as FiltersOf } from '../../session/operations';
import { useAnswer, useMay } from '../../session/use-session';
import { text } from '../../text/en';
import { commissions as words } from '../../text/en/app/commissions';
import { Page } from '../../ui/page';
import { Chosen, DayFilter, Filter, SearchBox, useFilters, useListSearch } from '../../ui/filters';
import { List, type ColumnOf } from '../../ui/list';
import { Avatar, Badge, Long, Money, When } from '../../ui/values';
import { ExportButton } from '../../ui/export-button';
import { StatusTabs } from './status-tabs';
import { Selected } from './selected-commissions';
import { isDecidable, tickColumn, type Chosen as Ticked } from './ticks';
import type { CommissionStatsDto } from '../../session/records';
import { useProgram } from '../use-program';

export default function CommissionsPage() {
  const { search } = useListSearch();
  const asked = useFilters('commissions.list');
  const filters = { ...asked, programId: search['program'] };
  const stats = useAnswer('commissions.stats', statsOf(filters));
  return (
    <Page title={words.title} actions={<ExportButton call="commissions.export" fields={filters} />}>
      <Filters stats={stats.data} />
      <StatusTabs stats={stats}>
        <Work filters={filters} />
      </StatusTabs>
    </Page>
  );
}

/** The filters without what counts for the list alone. */
function statsOf(filters: FiltersOf<'commissions.list'>) {
  const { status: _status, sortBy: _by, sortOrder: _order, page: _page, ...more } = filters;
  const { limit: _limit, cursor: _cursor, ...asked } = more;
  return asked;
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
      <SearchBox call="commissions.list" field="search" />
      <Filter
        call="commissions.list"
        field="needsReview"
        label={words.review}
        options={[['true', words.needsReview]]}
      />
      {programs.length > 1 && (
        <Filter
          call="commissions.list"
          field="programId"
          name="program"
          label={text.program}
          options={programs.map(({ id, name }) => [id, name] as const)}
        />
      )}
      {currencies.length > 1 && (
        <Filter
          call="commissions.list"
          field="currency"
          label={words.currency}
          options={currencies.map((one) => [one, one.toUpperCase()] as const)}
        />
      )}
      <DayFilter call="commissions.list" field="dateFrom" label={text.from} />
      <DayFilter call="commissions.list" field="dateTo" label={text.to} />
      <Chosen call="commissions.list" field="participantId" label={text.partner} />
    </div>
  );
}

/** The list, and what is ticked in it: ticks outlast pages and filters. */
function Work({ filters }: { filters: FiltersOf<'commissions.list'> }) {
  const may = useMay('member');
  const isOne = useProgram().all.length < 2;
  const [chosen, setChosen] = useState<Ticked>(new Map());
  return (
    <>
      <List
        call="commissions.list"
        fields={filters}
        filters={isOne ? filterNames : [...filterNames, 'program']}
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

const filterNames = [
  ...['search', 'status', 'needsReview', 'currency', 'dateFrom', 'dateTo', 'participantId'],
];

const columns: readonly ColumnOf<'commissions.list'>[] = [
  {
    title: text.created,
    opens: true,
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
      <span className="who" title={partnerName}>
        <Avatar name={partnerName} />
        <span>{partnerName}</span>
      </span>
    ),
  },
  { title: text.program, cell: ({ programName }) => <Long of={programName} /> },
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
