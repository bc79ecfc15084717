import { useId, type ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react';
import type { Asks, Filters, Name, Row, SortOf, TextOf } from '../session/operations';
import { useAnswer, type Asked } from '../session/use-session';
import { text } from '../text/en';
import { formatCount, startOfDay } from './format';

import { Loaded } from './page';
import { Select, type Options } from './select';

export interface Paged<T> {
  data: T[];
  total: number;
  page: number;
  limit: number;
  nextCursor?: string | null;
}

export interface Column<T, S extends string = never> {
  title: string;
  /** In place of the title's words, which are its name then. */
  head?: ReactNode;
  cell: (row: T) => ReactNode;
  /** The API's name to sort by; the header is a button then. */
  sort?: S;
  /** Numbers and money stand at the right. */
  isNumber?: boolean;
}

/** A column of what an operation lists, sorted by what it can be sorted by. */
export type ColumnOf<N extends Name> = Column<Row<N>, SortOf<N>>;

interface TableProps<T> {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** What to do first, where there is nothing yet. */
  empty: ReactNode;
}

/** A table, which on a telephone is a card a row: the roles are said, as styles would take them away. */
export function Table<T>({ caption, columns, rows, rowKey, empty }: TableProps<T>) {
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  return (
    <div className="table-frame" tabIndex={0} role="group" aria-label={caption}>
      <table role="table">
        <caption className="unseen">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Header key={column.title} column={column} />
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map(({ title, cell, isNumber }) => (
                <td
                  key={title}
                  role="cell"
                  data-title={title}
                  className={isNumber ? 'number' : undefined}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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
  ...table
}: OperationListProps<N>) {
  const { search } = useListSearch();
  const query: Record<string, unknown> = fields ?? {};
  const list = usePage(call, { page: search[name], ...query });
  const given = new Set(Object.values(query));
  const isFiltered = Object.entries(search).some(
    ([filter, value]) =>
      !/^(mode|program|part|sortBy|sortOrder|limit)$|page$/i.test(filter) &&
      (given.has(value) || query[filter] !== undefined),
  );
  return (
    <Loaded query={list}>
      {(found) => (
        <>
          <Table
            {...table}
            columns={typeof columns === 'function' ? columns(found.data) : columns}
            rows={found.data}
            rowKey={rowKey}
            empty={isFiltered || found.page > 1 ? <NothingFits /> : table.empty}
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

/** Of a list that its filters have emptied, or whose address names a page that is not there. */
export function NothingFits() {
  const navigate = useNavigate();
  const clear = (): void => {
    const kept = (search: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(search).filter(([name]) => /^(mode|program|part)$/.test(name)),
      );
    void navigate({ to: '.', search: kept, replace: true });
  };
  return (
    <>
      <span>{text.noneFits}</span>
      <button type="button" onClick={clear}>
        {text.clearFilters}
      </button>
    </>
  );
}

type ListSearch = Record<string, string | undefined>;

/** Filters, sorting and page as they stand in the address, and a way to change them. */
export function useListSearch() {
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const set = (change: Record<string, unknown>): void => {
    void navigate({
      to: '.',
      search: (old: Record<string, unknown>) => ({ ...firstPageOf(old), ...change }),
      replace: true,
    });
  };
  return { search, set };
}

/**
 * What the address asks of a list: all that is not the page's alone, or another list's. An address may
 * hold anything: what the operation does not take is refused in the API's words.
 */
export function useFilters<N extends Name>(_list: N): Filters<N> {
  const search: ListSearch = useSearch({ strict: false });
  const ours = Object.entries(search).filter(([name]) => !/^(mode|program|part)$|Page$/.test(name));
  return { ...Object.fromEntries(ours), ...ownDays(search) } as Filters<N>;
}

/** From the beginning of the first day to the end of the last, as the reader's clock has them. */
function ownDays({ dateFrom, dateTo }: ListSearch): ListSearch {
  const [from, to] = [startOfDay(dateFrom), startOfDay(dateTo, 1)];
  return { ...(from && { dateFrom: from }), ...(to && { dateTo: to }) };
}

/** Another filter begins with the first page, of every list that the page has. */
function firstPageOf(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !/page$/i.test(name)));
}

function Header<T>({ column: { title, head, sort, isNumber } }: { column: Column<T> }) {
  const { search, set } = useListSearch();
  const className = isNumber ? 'number' : undefined;
  if (sort === undefined) {
    return (
      <th scope="col" role="columnheader" className={className}>
        {head ?? title}
      </th>
    );
  }
  const isSorted = search.sortBy === sort;
  const order = search.sortOrder === 'asc' ? 'asc' : 'desc';
  const next = isSorted && order === 'desc' ? 'asc' : 'desc';
  const direction = order === 'asc' ? 'ascending' : 'descending';
  return (
    <th
      scope="col"
      role="columnheader"
      className={className}
      aria-sort={isSorted ? direction : 'none'}
    >
      <button type="button" className="sort" onClick={() => set({ sortBy: sort, sortOrder: next })}>
        {title}
        {isSorted && (order === 'asc' ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
      </button>
    </th>
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
  const set = ({ page: next }: { page: number }): void => setAll({ ...search, [name]: next });
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

/** Where a filter stands in the address, and which of an operation it is. */
interface FilterOf<N extends Name, K extends keyof Filters<N>> {
  call: N;
  field: K & string;
  /** Where it is another than the field's. */
  name?: string;
}

interface SearchProps<N extends Name, K extends keyof Filters<N>> extends FilterOf<N, K> {
  label?: string;
  /** What one may search by. */
  hint?: string;
}

export function SearchBox<N extends Name, K extends keyof Filters<N>>({
  field,
  name = field,
  label = text.search,
  hint = label,
}: SearchProps<N, K>) {
  const { search, set } = useListSearch();
  const id = useId();
  const value = search[name] ?? '';
  return (
    <form
      role="search"
      className="filter"
      onSubmit={(event) => {
        event.preventDefault();
        const typed = new FormData(event.currentTarget).get(name);
        set({ [name]: typed === '' ? undefined : typed });
      }}
    >
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <input
        key={value}
        id={id}
        type="search"
        name={name}
        defaultValue={value}
        placeholder={hint}
      />
    </form>
  );
}

interface FilterProps<N extends Name, K extends keyof Filters<N>> extends FilterOf<N, K> {
  label: string;
  options: readonly (readonly [value: OptionOf<N, K>, words: string])[];
  /** What holds while the address names none; without it, everything does. */
  usual?: OptionOf<N, K> | undefined;
}

type OptionOf<N extends Name, K extends keyof Filters<N>> = TextOf<Filters<N>[K]>;

/** A filter that stands in the address. */
export function Filter<N extends Name, K extends keyof Filters<N>>({
  call: _call,
  field,
  name = field,
  ...choice
}: FilterProps<N, K>) {
  return <PageChoice name={name} {...choice} />;
}

interface PageChoiceProps {
  name: string;
  label: string;
  options: Options;
  /** What holds while the address names none; without it, everything does. */
  usual?: string | undefined;
}

/** A choice that stands in the address: a filter, or what the page alone knows. */
export function PageChoice({ name, label, options, usual }: PageChoiceProps) {
  const { search, set } = useListSearch();
  const id = useId();
  const value = search[name];
  return (
    <span className="filter">
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        value={value ?? usual ?? ''}
        options={usual === undefined ? [['', text.all], ...options] : options}
        onChange={(next) => set({ [name]: next === '' ? undefined : next })}
      />
    </span>
  );
}

/** A day that stands in the address as YYYY-MM-DD. */
export function DayFilter<N extends Name, K extends keyof Filters<N>>({
  field,
  name = field,
  label,
}: FilterOf<N, K> & { label: string }) {
  const { search, set } = useListSearch();
  return (
    <label className="filter">
      {label}
      <input
        type="date"
        value={search[name] ?? ''}
        onChange={({ target }) => set({ [name]: target.value === '' ? undefined : target.value })}
      />
    </label>
  );
}

/** A filter that a link has set, such as one partner: it is named and can be taken away. */
export function Chosen<N extends Name, K extends keyof Filters<N>>({
  field,
  name = field,
  label,
}: FilterOf<N, K> & { label: string }) {
  const { search, set } = useListSearch();
  if (search[name] === undefined) return null;
  return (
    <button type="button" onClick={() => set({ [name]: undefined })}>
      {text.without(label)}
    </button>
  );
}
