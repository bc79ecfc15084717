import { queryOne } from '../../entities/database/sql';
import { isUnproven } from '../accounts/addresses';
import { counted, maxCounted, zeroOf, type FigureReader } from './reader';

/** What waits for somebody to confirm an address. */
export const accountFigures: FigureReader = {
  reader: 'accounts',
  figures: [
    {
      name: 'participations_unproven',
      help: `Live participations that a server made, opened by an account that never proved the address, and not paid before it does, ${counted}`,
      zeros: zeroOf,
    },
  ],
  async read(db) {
    const row = await queryOne<{ count: number }>(
      db,
      `SELECT count(*) AS count FROM (SELECT 1 FROM participants AS p
         WHERE ${isUnproven} LIMIT ${maxCounted}) AS few`,
    );
    return [{ name: 'participations_unproven', value: row?.count ?? 0 }];
  },
};
