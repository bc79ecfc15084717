import { selectList, tableNameOf, whereOf, type EntityClass } from './columns';
import { prepared, query, type Db } from './sql';

/**
 * The row of an entity with this id; undefined when there is none. Parsed and planned once per
 * connection.
 */
export async function findById<T extends object>(
  db: Db,
  entity: EntityClass<T>,
  id: string,
): Promise<T | undefined> {
  const [row] = await prepared<T>(db, {
    name: `find_${entity.name}`,
    text: `SELECT ${selectList(entity, 't')} FROM ${tableNameOf(entity)} AS t WHERE t.id = $1`,
    values: [id],
  });
  return row;
}

interface Wanted<T> {
  /** Values that the row's columns have, all of them. */
  where: Partial<T>;
  /** The lock, held until the transaction ends: `UPDATE` against all others, `SHARE` against changes. */
  lock?: 'UPDATE' | 'SHARE';
}

/** The first row of an entity with these values; undefined when there is none. */
export async function findOne<T extends object>(
  db: Db,
  entity: EntityClass<T>,
  { where, lock }: Wanted<T>,
): Promise<T | undefined> {
  const { condition, values } = whereOf(entity, where, 1);
  const [row] = await query<T>(
    db,
    `SELECT ${selectList(entity, 't')} FROM ${tableNameOf(entity)} AS t
      WHERE ${condition} LIMIT 1 ${lock ? `FOR ${lock}` : ''}`,
    values,
  );
  return row;
}
