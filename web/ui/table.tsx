import { useId, type ReactNode } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight } from 'lucide-react';
import type { Query } from '../session/session';
import { useApi } from '../session/use-session';
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

export interface Column<T> {
  title: string;
  /** In place of the title's words, which are its name then. */
  head?: ReactNode;
  cell: (row: T) => ReactNode;
  /** The API's name to sort by; the header is a button then. */
  sort?: string;
  /** Numbers and money stand at the right. */
  isNumber?: boolean;
}

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

interface ListProps<T> extends Omit<TableProps<T>, 'rows' | 'rowKey' | 'columns'> {
  path: string;
  /** The columns, or what makes them of the rows that are shown. */
  columns: readonly Column<T>[] | ((rows: readonly T[]) => readonly Column<T>[]);
  /** How many rows a page may have, where one can choose. */
  sizes?: readonly string[];
  /** What else is asked than the page. */
  query?: Query;
  /** Where the address says which page: another name where a page has several lists. */
  name?: string;
  rowKey?: (row: T) => string;
}

/** A page of the API's records, and the way to the other pages. */
export function List<T extends { id: string }>({
  path,
  query,
  name = 'page',
  rowKey = ({ id }) => id,
  columns,
  sizes,
  ...table
}: ListProps<T>) {
  const { search } = useListSearch();
  const list = useApi<Paged<T>>(path, { page: search[name], ...query });
  const given = new Set(Object.values(query ?? {}));
  const isFiltered = Object.entries(search).some(
    ([filter, value]) =>
      !/^(mode|program|part|sortBy|sortOrder|limit)$|page$/i.test(filter) &&
      (given.has(value) || query?.[filter] !== undefined),
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
  /** What the API is asked: the address without what is ours alone, or another list's. */
  const ours = Object.entries(search).filter(([name]) => !/^(mode|program|part)$|Page$/.test(name));
  const asked: ListSearch = { ...Object.fromEntries(ours), ...ownDays(search) };
  return { search, asked, set };
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
        <Filter
          name="limit"
          label={text.rows}
          usual={sizes[0]}
          options={sizes.map((one) => [one, one] as const)}
        />
      )}
    </div>
  );
}

interface SearchProps {
  name?: string;
  label?: string;
  /** What one may search by. */
  hint?: string;
}

export function SearchBox({ name = 'search', label = text.search, hint = label }: SearchProps) {
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

interface FilterProps {
  name: string;
  label: string;
  options: Options;
  /** What holds while the address names none; without it, everything does. */
  usual?: string | undefined;
}

/** A filter that stands in the address. */
export function Filter({ name, label, options, usual }: FilterProps) {
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
export function DayFilter({ name, label }: { name: string; label: string }) {
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
export function Chosen({ name, label }: { name: string; label: string }) {
  const { search, set } = useListSearch();
  if (search[name] === undefined) return null;
  return (
    <button type="button" onClick={() => set({ [name]: undefined })}>
      {text.without(label)}
    </button>
  );
}
