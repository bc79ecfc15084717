import { assignmentsOf, tableNameOf, whereOf, type EntityClass } from './columns';
import { execute, type Db } from './sql';

interface Update<T> {
  set: Partial<T>;
  /** Values that the columns of the rows have, all of them. */
  where: Partial<T>;
}

/** Writes columns of the rows of an entity that have these values; returns how many there were. */
export function update<T extends object>(
  db: Db,
  entity: EntityClass<T>,
  { set, where }: Update<T>,
): Promise<number> {
  const assigned = assignmentsOf(entity, set);
  const { condition, values } = whereOf(entity, where, assigned.values.length + 1);
  return execute(db, `UPDATE ${tableNameOf(entity)} AS t SET ${assigned.list} WHERE ${condition}`, [
    ...assigned.values,
    ...values,
  ]);
}
