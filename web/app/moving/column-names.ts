import {
  columnNames,
  missingColumns,
  placesOf,
  type ImportKind,
} from '../../../entities/rules/imports/kinds';

/** The columns of one kind: ours, and the one of theirs that stands for it. */
export type ColumnNames = Readonly<Record<string, string>>;

/** How a file writes a sum: `12.50`, or 1250 in a column `..._cents`. */
export type Unit = 'whole' | 'minor';

/** A kind's columns as files have them, and what is renamed. */
export interface At {
  kind: ImportKind;
  header: readonly string[];
  names: ColumnNames;
}

/** No column has this name, so that what is given it is looked for in vain. */
const nowhere = '–';

const inCents = (column: string): string => `${column}_cents`;

const hasUnit = ({ kind }: At, column: string): boolean =>
  columnNames(kind).includes(inCents(column));

/** The name of ours under which a column of the file was found; undefined for none. */
function foundAs(at: At, column: string): string | undefined {
  const places = placesOf(at.kind, at.header, { [at.kind]: at.names });
  return [inCents(column), column].find((name) => places.has(name));
}

/** The column of the file that stands for ours; empty where none does. */
export function theirsOf(at: At, column: string): string {
  const found = foundAs(at, column);
  const place = found && placesOf(at.kind, at.header, { [at.kind]: at.names }).get(found);
  return place === undefined || place === '' ? '' : (at.header[place] ?? '');
}

/** The unit of a column of sums; undefined for all others. */
export function unitOf(at: At, column: string): Unit | undefined {
  if (!hasUnit(at, column)) return undefined;
  return foundAs(at, column) === inCents(column) ? 'minor' : 'whole';
}

/** Whether something of the file, or of what is needed, has no counterpart yet. */
export function isLeft({ kind, header, names }: At): boolean {
  const places = placesOf(kind, header, { [kind]: names });
  const taken = new Set(places.values());
  return (
    header.some((_name, place) => !taken.has(place)) ||
    missingColumns(kind, places, { hasCurrency: false }).length > 0
  );
}

interface Chosen {
  column: string;
  /** Empty: none. */
  theirs: string;
  unit: Unit;
}

/** The names with one column chosen anew. What a file's own header would give is not written down. */
export function namesWith(at: At, { column, theirs, unit }: Chosen): ColumnNames {
  const ours = unit === 'minor' && hasUnit(at, column) ? inCents(column) : column;
  const { [column]: _whole, [inCents(column)]: _minor, ...others } = at.names;
  const candidates = hasUnit(at, column) ? [column, inCents(column)] : [column];
  const byItself = placesOf(at.kind, at.header);
  const away = candidates
    .filter((name) => name !== ours || theirs === '')
    .filter((name) => byItself.has(name))
    .map((name) => [name, nowhere] as const);
  const own =
    theirs === '' || at.header[byItself.get(ours) ?? -1] === theirs ? [] : [[ours, theirs]];
  return { ...others, ...Object.fromEntries([...away, ...own]) };
}
