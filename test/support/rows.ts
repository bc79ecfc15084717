import type { EntityClass } from '../../entities/database/columns';
import { findOne } from '../../entities/database/find';
import type { Db } from '../../entities/database/sql';

/** The row of an entity with these values, which is there. */
export async function oneRow<T extends object>(
  db: Db,
  entity: EntityClass<T>,
  where: Partial<T>,
): Promise<T> {
  const row = await findOne(db, entity, { where });
  if (!row) throw new Error(`no row of ${entity.name}`);
  return row;
}
