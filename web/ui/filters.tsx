import { useId } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Filters, Name, TextOf } from '../session/operations';
import { text } from '../text/en';
import { startOfDay } from './format';
import { Select, type Options } from './select';

type ListSearch = Record<string, string | undefined>;

/** Filters, sorting and page as they stand in the address, and a way to change them. */
export function useListSearch() {
  const search: ListSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  /** The reader stays where the choice was made; `resetScroll` begins at the page's top. */
  const set = (change: Record<string, unknown>, { resetScroll = false } = {}): void => {
    void navigate({
      to: '.',
      search: (old: Record<string, unknown>) => ({ ...firstPageOf(old), ...change }),
      ...{ replace: true, resetScroll },
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

/** The time from the beginning of the first day to the end of the last, by the reader's clock. */
function ownDays({ dateFrom, dateTo }: ListSearch): ListSearch {
  const [from, to] = [startOfDay(dateFrom), startOfDay(dateTo, 1)];
  return { ...(from && { dateFrom: from }), ...(to && { dateTo: to }) };
}

/** Another filter begins with the first page, of every list that the page has. */
function firstPageOf(search: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(search).filter(([name]) => !/page$/i.test(name)));
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
  const choose = (next: string): void =>
    // What holds anyway is no filter: the address does not name it.
    set({ [name]: next === '' || next === usual ? undefined : next });
  return (
    <span className="filter">
      <label htmlFor={id}>{label}</label>
      <Select
        id={id}
        value={value ?? usual ?? ''}
        options={usual === undefined ? [['', text.all], ...options] : options}
        onChange={choose}
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
