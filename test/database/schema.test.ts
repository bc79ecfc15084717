import type { EntityMetadata } from 'typeorm';
import { createOrm, withOrm } from '../../entities/database/orm';
import { useDatabase } from '../support/data-source';

interface SchemaColumn {
  table: string;
  name: string;
  type: string;
  nullable: boolean;
}

interface SchemaConstraint {
  table: string;
  name: string;
}

type ColumnMetadata = EntityMetadata['columns'][number];

const database = useDatabase(2);
let entities: EntityMetadata[];
let columns: SchemaColumn[];
let constraints: SchemaConstraint[];

beforeAll(async () => {
  const orm = createOrm(database.url);
  await withOrm(orm, async () => {
    entities = orm.entityMetadatas;
  });
  columns = await database.source.query(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type,
           -- A generated column computes its value from columns that are not null.
           NOT (a.attnotnull OR a.attgenerated <> '') AS nullable
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND NOT c.relispartition AND c.relname <> 'migrations' AND a.attnum > 0 AND NOT a.attisdropped`);
  constraints = await database.source.query(`
    SELECT c.relname AS table, k.conname AS name FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND c.relname <> 'migrations'
       AND (k.contype IN ('u', 'c') OR k.contype = 'p' AND k.conname NOT LIKE '%\\_pkey')
    UNION
    SELECT t.relname, i.relname FROM pg_index x
      JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
     WHERE t.relnamespace = 'public'::regnamespace AND NOT t.relispartition AND x.indisunique
       AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.oid)`);
});

const typeNames: Record<string, string> = {
  int: 'integer',
  timestamptz: 'timestamp with time zone',
};

function lineOf(column: ColumnMetadata): string {
  const type = typeNames[String(column.type)] ?? String(column.type);
  const array = column.isArray ? '[]' : '';
  return `${column.databaseName} ${type}${array}${column.isNullable ? ' null' : ''}`;
}

function constraintsOf(metadata: EntityMetadata): string[] {
  const primary = metadata.primaryColumns.flatMap(
    (column) => column.primaryKeyConstraintName ?? [],
  );
  const declared = [...metadata.ownUniques, ...metadata.checks, ...metadata.ownIndices];
  return [...new Set([...primary, ...declared.map(({ name }) => name)])].sort();
}

it('the schema has one entity for each table, and no other', () => {
  const tables = [...new Set(columns.map(({ table }) => table))].sort();
  const declared = entities.map(({ tableName }) => tableName).sort();
  expect(declared).toEqual(tables);
});

it('gives each entity the columns of its table: name, type, nullability', () => {
  for (const metadata of entities) {
    const found = columns
      .filter(({ table }) => table === metadata.tableName)
      .map(({ name, type, nullable }) => `${name} ${type}${nullable ? ' null' : ''}`);
    const declared = metadata.columns.map(lineOf);
    expect([metadata.tableName, ...declared.sort()]).toEqual([metadata.tableName, ...found.sort()]);
  }
});

it('names every unique and check constraint on its entity', () => {
  for (const metadata of entities) {
    const found = constraints
      .filter(({ table }) => table === metadata.tableName)
      .map(({ name }) => name);
    // The entity declares @Check, @Unique and unique indexes. Other indexes stand in the migration alone.
    expect([metadata.tableName, ...constraintsOf(metadata)]).toEqual([
      metadata.tableName,
      ...found.sort(),
    ]);
  }
});
