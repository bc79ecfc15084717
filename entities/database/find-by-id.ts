import { prepared, type Db } from './sql';

type EntityClass<T> = (new () => T) & { name: string };

const statements = new Map<unknown, string>();

/**
 * As findOneBy({ id }), parsed and planned once per connection: TypeORM writes its query again each
 * time, which takes longer than its answer.
 */
export async function findById<T extends object>(
  db: Db,
  entity: EntityClass<T>,
  id: string,
): Promise<T | undefined> {
  const statement = statements.get(entity) ?? selectById(db, entity);
  statements.set(entity, statement);
  const [row] = await prepared<T>(db, {
    name: `find_${entity.name}`,
    text: statement,
    values: [id],
  });
  return row && Object.assign(new entity(), row);
}

function selectById(db: Db, entity: EntityClass<object>): string {
  const { columns, tableName } = db.dataSource.getMetadata(entity);
  const list = columns.map(
    ({ databaseName, propertyName }) => `${databaseName} AS "${propertyName}"`,
  );
  return `SELECT ${list.join(', ')} FROM ${tableName} WHERE id = $1`;
}
