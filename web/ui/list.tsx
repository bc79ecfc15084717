import type { UseQueryResult } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Asks, Name, Row, SortOf } from '../session/operations';
import { useAnswer, type Asked } from '../session/use-session';
import { text } from '../text/en';
import { PageChoice, useListSearch } from './filters';
import { formatCount } from './format';
import { Loaded } from './page';
import { Table, type Column, type TableProps } from './table';

interface Paged<T> {
  data: T[];
  total: number;
  page: number;
  limit: number;
  nextCursor?: string | null;
}

/** A column of what an operation lists, sorted by what it can be sorted by. */
export type ColumnOf<N extends Name> = Column<Row<N>, SortOf<N>>;

interface ListProps<T, S extends string> extends Omit<
  TableProps<T>,
  'rows' | 'rowKey' | 'columns'
> {
  /** The columns, or what makes them of the rows that are shown. */
  columns: readonly Column<T, S>[] | ((rows: readonly T[]) => readonly Column<T, S>[]);
  /** How many rows a page may have, where one can choose. */
  sizes?: readonly string[];
  /** Where the address says which page: another name where a page has several lists. */
  name?: string;
  /** What filters it by the address, where that names them otherwise than the fields. */
  filters?: readonly string[];
  rowKey?: (row: T) => string;
}

/** What lists them, and what else it is asked than the page. */
type OperationListProps<N extends Name> = ListProps<Row<N>, SortOf<N>> & Asks<N> & KeyOf<Row<N>>;

/** Rows without an id are told apart by something else. */
type KeyOf<T> = [T] extends [{ id: string }]
  ? { rowKey?: (row: T) => string }
  : { rowKey: (row: T) => string };

/** A page of the API's records, and the way to the other pages. */
export function List<N extends Name>({
  call,
  fields,
  name = 'page',
  rowKey = idOf,
  columns,
  sizes,
  filters = filtersIn(fields ?? {}),
  ...table
}: OperationListProps<N>) {
  const { search } = useListSearch();
  const list = usePage(call, { page: search[name], ...fields });
  const isFiltered = filters.some((filter) => search[filter] !== undefined);
  return (
    <Loaded query={list}>
      {(found) => (
        <>
          <Table
            {...table}
            columns={typeof columns === 'function' ? columns(found.data) : columns}
            rows={found.data}
            rowKey={rowKey}
            empty={isFiltered || found.page > 1 ? <NothingFits of={filters} /> : table.empty}
          />
          <Pager of={found} name={name} sizes={sizes} />
        </>
      )}
    </Loaded>
  );
}

/** The key of a row that has an id, as all have whose list names no other. */
const idOf = (row: unknown): string => (row as { id: string }).id;

/** Whatever lists answers with a page of its rows. */
function usePage<N extends Name>(call: N, fields: object) {
  const answer = useAnswer(call, ...([fields] as unknown as Asked<N>));
  return answer as UseQueryResult<Paged<Row<N>>>;
}

/** The fields of a list that the address may name alike; a programme, a mode and an order empty no list. */
const filtersIn = (fields: object): string[] =>
  Object.keys(fields).filter(
    (name) => !/^(mode|programId|page|limit|cursor|sortBy|sortOrder)$/.test(name),
  );

/** The words of a list that its filters have emptied, or whose address names a page that is not there. */
function NothingFits({ of: filters }: { of: readonly string[] }) {
  const { set } = useListSearch();
  const clear = (): void => set(Object.fromEntries(filters.map((one) => [one, undefined])));
  return (
    <>
      <span>{text.noneFits}</span>
      <button type="button" onClick={clear}>
        {text.clearFilters}
      </button>
    </>
  );
}

interface PagerProps {
  of: Omit<Paged<unknown>, 'data'>;
  name?: string;
  /** How many rows a page may have, where one can choose. */
  sizes?: readonly string[] | undefined;
}

export function Pager({ of: { page, limit, total }, name = 'page', sizes = [] }: PagerProps) {
  const { search, set: setAll } = useListSearch();
  // The rows of the page's own list are read from the top; one of several lists stays where it is.
  const set = ({ page: next }: { page: number }): void =>
    setAll({ ...search, [name]: next }, { resetScroll: name === 'page' });
  const pages = Math.max(1, Math.ceil(total / limit));
  const isSized = sizes.length > 0 && total > Number(sizes[0]);
  if (pages === 1 && page === 1 && !isSized) return null;
  return (
    <div className="pager">
      <button type="button" disabled={page <= 1} onClick={() => set({ page: page - 1 })}>
        <ChevronLeft size={14} /> {text.previousPage}
      </button>
      <span>{text.pageOf(page, pages, formatCount(total))}</span>
      <button type="button" disabled={page >= pages} onClick={() => set({ page: page + 1 })}>
        {text.nextPage} <ChevronRight size={14} />
      </button>
      {isSized && (
        <PageChoice
          name="limit"
          label={text.rows}
          usual={sizes[0]}
          options={sizes.map((one) => [one, one] as const)}
        />
      )}
    </div>
  );
}
