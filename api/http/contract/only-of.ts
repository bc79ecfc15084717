import type { Found } from '../../../entities/database/list';
import { AppError } from '../../../entities/errors';

/** The row of a list that was narrowed to one id, or NOT_FOUND. */
export function onlyOf<Row>({ rows: [row] }: Found<Row>): Row {
  if (!row) throw new AppError('NOT_FOUND');
  return row;
}
