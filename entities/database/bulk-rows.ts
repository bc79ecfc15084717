/** Types of columns that are written as arrays. */
export type ColumnType =
  | 'uuid'
  | 'text'
  | 'bigint'
  | 'int'
  | 'boolean'
  | 'timestamptz'
  | 'json'
  | 'jsonb'
  | 'text[]';

interface Column {
  name: string;
  type: ColumnType;
}

/** Columns of a table by the property of a row that holds their value. */
type Columns = Readonly<Record<string, Column>>;
type Row = Readonly<Record<string, unknown>>;

/** A table, with those of its columns that a statement writes. */
export interface Table {
  table: string;
  columns: Columns;
}

/** Rows of one table as parameters of a statement: their places, then one array a column. */
export interface RowSet extends Table {
  /** Number of the first parameter. */
  first: number;
}

/**
 * Numbers the parameters of a statement that writes several tables. Arrays because Postgres reads
 * them faster than JSON, and because their number does not depend on the number of rows, so that one
 * prepared statement serves every batch.
 */
export function layOut<K extends string>(tables: Readonly<Record<K, Table>>): Record<K, RowSet> {
  let first = 1;
  const sets = Object.entries<Table>(tables).map(([kind, set]) => {
    const laidOut = { ...set, first };
    first += 1 + Object.keys(set.columns).length;
    return [kind, laidOut];
  });
  return Object.fromEntries(sets) as Record<K, RowSet>;
}

/** The parameters of such a statement, in their order. */
export function parametersOf<K extends string>(
  sets: Readonly<Record<K, RowSet>>,
  rows: Readonly<Record<K, readonly object[]>>,
): unknown[] {
  return Object.entries<RowSet>(sets).flatMap(([kind, { columns }]) => {
    const ofKind = rows[kind as K] as readonly Row[];
    const places = ofKind.map((_, index) => index + 1);
    const arrays = Object.entries(columns).map(([property, { type }]) =>
      isJson(type) ? joinedJson(ofKind, property) : ofKind.map((row) => elementFor(row[property])),
    );
    return [places, ...arrays];
  });
}

/**
 * The rows as a FROM item called `r`. Each value is fetched by its place: to unnest the arrays side
 * by side, Postgres would make a table of each. The places are a sub-select so that the planner
 * cannot see how many there are: it would make a new plan for each number, and planning costs more
 * than the statement.
 */
export function rowsOf({ columns, first }: RowSet): string {
  const values = Object.values(columns).map(
    ({ name, type }, index) => `${elementOf(type, `$${first + 1 + index}`)} AS ${name}`,
  );
  return `(SELECT ${values.join(', ')}
    FROM unnest((SELECT $${first}::int[])) AS place (n)) AS r`;
}

function elementOf(type: ColumnType, parameter: string): string {
  if (type === 'text[]') return `(${parameter}::text[])[place.n]::text[]`;
  if (!isJson(type)) return `(${parameter}::${type}[])[place.n]`;
  return `((SELECT string_to_array(${parameter}::text, ${separatorSql}, '')::${type}[]))[place.n]`;
}

/** `condition` and `order` may refer to a row as `r`. */
export function insertOf(set: RowSet, condition = 'true', order = ''): string {
  const names = Object.values(set.columns).map(({ name }) => name);
  return `INSERT INTO ${set.table} (${names.join(', ')})
    SELECT ${names.map((name) => `r.${name}`).join(', ')} FROM ${rowsOf(set)}
     WHERE ${condition} ${order}`;
}

// Texts of JSON are joined by a character that JSON never holds as it is: quoting each of them for an
// array would cost more than writing it did.
const separator = '\x1e';
const separatorSql = "E'\\x1e'";

function isJson(type: ColumnType): type is 'json' | 'jsonb' {
  return type === 'json' || type === 'jsonb';
}

/** The value as an element of an array that the driver writes: an array in it would become another dimension. */
function elementFor(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.map(quoted).join(',')}}` : value;
}

/** Nothing between two separators is NULL. */
function joinedJson(rows: readonly Row[], property: string): string {
  return rows
    .map((row) => (row[property] === null ? '' : JSON.stringify(row[property])))
    .join(separator);
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
