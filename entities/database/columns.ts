import { getMetadataArgsStorage } from 'typeorm';
import type { ColumnType, Table } from './bulk-rows';

type EntityClass<T extends object = object> = new () => T;

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
export function columnsOf(entity: EntityClass): readonly EntityColumn[] {
  const columns = known.get(entity) ?? readColumns(entity);
  known.set(entity, columns);
  return columns;
}

function readColumns(entity: EntityClass): EntityColumn[] {
  return getMetadataArgsStorage()
    .filterColumns(entity)
    .map(({ propertyName, options }) => ({
      property: propertyName,
      name: options.name ?? propertyName,
      type: `${String(options.type)}${options.array ? '[]' : ''}` as ColumnType,
      isInserted: options.insert !== false,
      isUpdated: options.update !== false && options.primary !== true,
    }));
}

/** Select list of a table under an alias, with the names of the entity's properties; all, or some. */
export function selectList<T extends object>(
  entity: EntityClass<T>,
  alias: string,
  properties?: readonly (keyof T)[],
): string {
  const columns = columnsOf(entity).filter(
    ({ property }) => properties?.includes(property as keyof T) ?? true,
  );
  return columns.map(({ property, name }) => `${alias}.${name} AS "${property}"`).join(', ');
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
  if (!column) throw new Error(`${entity.name} has no column ${name} to insert`);
  return column;
}

/** Names of the columns that an update may change. */
export function mutableColumnsOf(entity: EntityClass): string[] {
  return columnsOf(entity)
    .filter(({ isInserted, isUpdated }) => isInserted && isUpdated)
    .map(({ name }) => name);
}

function tableNameOf(entity: EntityClass): string {
  const [table] = getMetadataArgsStorage().filterTables(entity);
  if (!table?.name) throw new Error(`${entity.name} is no entity`);
  return table.name;
}
