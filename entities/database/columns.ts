import { getMetadataArgsStorage } from 'typeorm';
import { snakeCase } from 'typeorm/util/StringUtils';
import type { ColumnType, Table } from './bulk-rows';

export type EntityClass<T extends object = object> = new () => T;

interface EntityColumn {
  property: string;
  name: string;
  type: ColumnType;
  /** False for what the database fills in: generated columns, sequences, defaults. */
  isInserted: boolean;
  /** False for what never changes. */
  isUpdated: boolean;
}

const known = new Map<EntityClass, readonly EntityColumn[]>();

/** The columns of an entity as its decorators declare them: the one description of its table. */
function columnsOf(entity: EntityClass): readonly EntityColumn[] {
  const columns = known.get(entity) ?? readColumns(entity);
  known.set(entity, columns);
  return columns;
}

function readColumns(entity: EntityClass): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: snakeCase(propertyName),
      type: `${String(options.type)}${options.array ? '[]' : ''}` as ColumnType,
      isInserted: options.insert !== false,
      isUpdated: options.update !== false && options.primary !== true,
    }));
}

/** Some properties of an entity, or what else to call them: `{ partnerName: 'name' }`. */
export type Selection<T> = readonly (keyof T)[] | Readonly<Record<string, keyof T>>;

/** A row of these. */
export type Selected<T, S extends Selection<T>> = S extends readonly (keyof T)[]
  ? Pick<T, S[number]>
  : { -readonly [Name in keyof S]: T[S[Name] & keyof T] };

/** The columns of an outer join: null where it found nothing. */
export type Outer<T> = { [K in keyof T]: T[K] | null };

/** Select list of a table under an alias, with the names of the entity's properties; all, or some. */
export function selectList<T extends object>(
  entity: EntityClass<T>,
  alias: string,
  selection?: Selection<T>,
): string {
  const columns = columnsOf(entity);
  return namesOf(selection, columns)
    .map(([name, property]) => {
      const { name: column } = columnNamed(entity, columns, property);
      return `${alias}.${column} AS "${name}"`;
    })
    .join(', ');
}

/** Pairs of the name in the row and the property that it holds. */
function namesOf(
  selection: readonly PropertyKey[] | Readonly<Record<string, PropertyKey>> | undefined,
  columns: readonly EntityColumn[],
): [string, string][] {
  const some = selection ?? columns.map(({ property }) => property);
  return Array.isArray(some)
    ? some.map((property) => [String(property), String(property)])
    : Object.entries(some).map(([name, property]) => [name, String(property)]);
}

/** The table of an entity for bulk inserts: rows are objects of its shape; all of it, or some. */
export function tableOf(entity: EntityClass, properties?: readonly string[]): Table {
  const inserted = columnsOf(entity).filter(({ isInserted }) => isInserted);
  const written = properties?.map((name) => columnNamed(entity, inserted, name)) ?? inserted;
  return {
    table: tableNameOf(entity),
    columns: Object.fromEntries(
      written.map(({ property, name, type }) => [property, { name, type }]),
    ),
  };
}

function columnNamed(
  entity: EntityClass,
  columns: readonly EntityColumn[],
  name: string,
): EntityColumn {
  const column = columns.find(({ property }) => property === name);
  if (!column) throw new Error(`${entity.name} has no column ${name}`);
  return column;
}

/** Names of the columns that an update may change. */
export function mutableColumnsOf(entity: EntityClass): string[] {
  return columnsOf(entity)
    .filter(({ isInserted, isUpdated }) => isInserted && isUpdated)
    .map(({ name }) => name);
}

/** The table of an entity. */
export function tableNameOf(entity: EntityClass): string {
  const [table] = getMetadataArgsStorage().filterTables(entity);
  if (!table?.name) throw new Error(`${entity.name} is no entity`);
  return table.name;
}

/**
 * The condition that columns of `t` have these values, with parameters from number `first` on. A value
 * that is missing, or null, would find other rows than it seems to: it throws.
 */
export function whereOf(
  entity: EntityClass,
  where: object,
  first: number,
): { condition: string; values: unknown[] } {
  const columns = columnsOf(entity);
  const pairs = Object.entries(where) as [string, unknown][];
  const lacking = pairs.find(([, value]) => value === undefined || value === null);
  if (lacking || pairs.length === 0) throw new Error(`no ${lacking?.[0] ?? 'value'} to look by`);
  const equals = pairs.map(
    ([property], index) => `t.${columnNamed(entity, columns, property).name} = $${first + index}`,
  );
  return { condition: equals.join(' AND '), values: pairs.map(([, value]) => value) };
}

/** What an UPDATE sets, with parameters from 1 on. */
export function assignmentsOf(
  entity: EntityClass,
  values: object,
): { list: string; values: unknown[] } {
  const columns = columnsOf(entity).filter(({ isInserted, isUpdated }) => isInserted && isUpdated);
  const pairs = Object.entries(values).map(([property, value]: [string, unknown]) => {
    const { name, type } = columnNamed(entity, columns, property);
    // The driver would write an array as one of Postgres.
    const isText = type.startsWith('json') && value !== null;
    return { name, value: isText ? JSON.stringify(value) : value };
  });
  return {
    list: pairs.map(({ name }, index) => `${name} = $${index + 1}`).join(', '),
    values: pairs.map(({ value }) => value),
  };
}
