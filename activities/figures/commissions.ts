import { queryOne } from '../../entities/database/sql';
import { counted, type FigureReader, firstRows, maxCounted, zeroOf } from './reader';
import { minuteMs } from '../../entities/rules/values/duration';

export const commissionFigures: FigureReader = {
  reader: 'commissions',
  figures: [
    {
      name: 'commissions_overdue',
      help: `Pending commissions whose hold ended more than five minutes ago, ${counted}`,
      zeros: zeroOf,
    },
    {
      name: 'lifecycles_waiting_oldest_seconds',
      help: 'How long the oldest pending commission has waited for its lifecycle to be started',
      zeros: zeroOf,
    },
  ],
  async read(db, { now }) {
    // A lifecycle has a minute to notice, and the repair comes each minute.
    const since = new Date(now.getTime() - 5 * minuteMs);
    const overdue = await queryOne<{ commissions: number }>(
      db,
      `SELECT count(*) AS commissions FROM (SELECT 1 FROM commissions
         WHERE status = 'pending' AND NOT hold_elapsed AND hold_until < $1 LIMIT ${maxCounted}) AS c`,
      [since],
    );
    const waiting = await queryOne<{ seconds: number }>(
      db,
      `SELECT extract(epoch FROM now() - min(o.created_at))::float8 AS seconds
         FROM (SELECT ref, created_at FROM outbox
                WHERE topic = 'commission' ORDER BY id LIMIT ${firstRows}) AS o
         JOIN commissions c ON c.id = o.ref AND c.status = 'pending'`,
    );
    return [
      { name: 'commissions_overdue', value: overdue?.commissions ?? 0 },
      { name: 'lifecycles_waiting_oldest_seconds', value: waiting?.seconds ?? 0 },
    ];
  },
};
