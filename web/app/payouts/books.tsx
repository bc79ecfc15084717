import { useAnswer } from '../../session/use-session';
import { books as words } from '../../text/en/app/books';
import { ExportButton } from '../../ui/export-button';
import { formatMonth, type Month } from '../../ui/format';
import { FilteredLink } from '../../ui/link';
import { Loaded } from '../../ui/page';
import { Filter, useListSearch } from '../../ui/filters';
import { Table, type Column } from '../../ui/table';
import { Money } from '../../ui/values';
import { OfProgram } from '../of-program';
import { figures, typesOf, type Figure } from './figures';
import type { Program, StatementTotalDto } from '../../session/records';

/** What was owed, moved and is owed in each month of a year; each sum leads to its entries. */
export default function BooksPage() {
  return <OfProgram title={words.title}>{(program) => <Books program={program} />}</OfProgram>;
}

function Books({ program }: { program: Program }) {
  const { search } = useListSearch();
  const thisYear = new Date().getUTCFullYear();
  const firstYear = Math.min(thisYear, new Date(program.createdAt).getUTCFullYear());
  const years = Array.from({ length: thisYear - firstYear + 1 }, (_, n) => thisYear - n);
  const asked = { year: Number(search['year'] ?? thisYear), programId: program.id };
  // The sums are whole on every page of it.
  const statement = useAnswer('payouts.listStatement', { ...asked, limit: 1 });
  return (
    <>
      <p>{words.hint}</p>
      <div className="filters">
        <Filter
          call="payouts.listStatement"
          field="year"
          label={words.year}
          options={years.map((one) => [`${one}`, `${one}`] as const)}
          usual={`${thisYear}`}
        />
        <ExportButton
          call="payouts.listStatement"
          fields={{ ...asked, format: 'csv' }}
          label={words.download}
        />
      </div>
      <Loaded query={statement}>
        {({ totals }) => <Months program={program} totals={totals} />}
      </Loaded>
    </>
  );
}

interface MonthsProps {
  program: Program;
  totals: readonly StatementTotalDto[];
}

function Months({ program, totals }: MonthsProps) {
  const { search } = useListSearch();
  const chosen = search['currency'];
  const currencies = [...new Set(totals.map(({ currency }) => currency))];
  const rows = totals.filter(({ currency }) => chosen === undefined || currency === chosen);
  return (
    <>
      {(currencies.length > 1 || chosen !== undefined) && (
        <div className="filters">
          <Filter
            call="payouts.listLedger"
            field="currency"
            label={words.currency}
            options={currencies.map((one) => [one, one.toUpperCase()] as const)}
          />
        </div>
      )}
      <Table
        caption={words.title}
        columns={columnsOf(program, rows)}
        rows={rows}
        rowKey={({ month, currency }) => `${month} ${currency}`}
        empty={words.empty}
      />
    </>
  );
}

/** Opening, what moved in any of these months, closing. */
function columnsOf(
  program: Program,
  rows: readonly StatementTotalDto[],
): Column<StatementTotalDto>[] {
  const moved = figures.filter((one) => rows.some((row) => row[`${one}Cents`] !== 0));
  const sum = (
    title: string,
    figure: Figure | 'opening' | 'closing',
    entries: (month: Month) => Record<string, string>,
  ): Column<StatementTotalDto> => ({
    title,
    isNumber: true,
    cell: (row) => (
      <FilteredLink
        to="/payouts/books/ledger"
        search={{ program: program.id, currency: row.currency, ...entries(monthOf(row)) }}
      >
        <Money cents={row[`${figure}Cents`]} currency={row.currency} />
      </FilteredLink>
    ),
  });
  return [
    { title: words.month, cell: (row) => formatMonth(monthOf(row)) },
    sum(words.opening, 'opening', (month) => ({ to: dayOf({ ...month, day: 0 }) })),
    ...moved.map((figure) =>
      sum(words.figures[figure], figure, (month) => ({
        ...spanOf(month),
        type: typesOf(figure),
      })),
    ),
    sum(words.closing, 'closing', (month) => ({ to: spanOf(month).to })),
  ];
}

function monthOf({ month: written }: StatementTotalDto): Month {
  const [year = 0, month = 1] = written.split('-').map(Number);
  return { year, month };
}

/** The first and the last day of a month. */
const spanOf = ({ year, month }: Month) => ({
  from: dayOf({ year, month, day: 1 }),
  to: dayOf({ year, month: month + 1, day: 0 }),
});

/** YYYY-MM-DD; day 0 is the last one of the month before. */
function dayOf({ year, month, day }: Month & { day: number }): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
