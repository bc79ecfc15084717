import type { MouseEvent, ReactNode } from 'react';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useListSearch } from './filters';

export interface Column<T, S extends string = never> {
  title: string;
  /** A head in place of the title's words, which are its name then. */
  head?: ReactNode;
  cell: (row: T) => ReactNode;
  /** The API's name to sort by; the header is a button then. */
  sort?: S;
  /** Its link is the record's own page: pressing the row opens it. */
  opens?: boolean;
  /** Numbers and money stand at the right. */
  isNumber?: boolean;
  /** What a narrow screen leaves to the record's own page, so that the row does not scroll sideways. */
  isSpare?: boolean;
}

const classOf = ({ isNumber, isSpare }: { isNumber?: boolean; isSpare?: boolean }) =>
  [isNumber && 'number', isSpare && 'spare'].filter(Boolean).join(' ') || undefined;

export interface TableProps<T> {
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
            <tr key={rowKey(row)} role="row" onClick={openRow}>
              {columns.map(({ title, cell, opens, ...looks }) => (
                <td
                  key={title}
                  role="cell"
                  data-title={title}
                  data-opens={opens}
                  className={classOf(looks)}
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

/** A row whose first cell links to its page opens it, wherever it is pressed but on what acts itself. */
function openRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  const acts = 'a, button, input, select, textarea, label, summary, [role="combobox"]';
  if (target instanceof Element && target.closest(acts)) return;
  // Whoever marks text to copy it opens nothing.
  if (String(window.getSelection())) return;
  currentTarget.querySelector<HTMLAnchorElement>('[data-opens] a')?.click();
}

function Header<T>({ column: { title, head, sort, ...looks } }: { column: Column<T> }) {
  const { search, set } = useListSearch();
  const className = classOf(looks);
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
