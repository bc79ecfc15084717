import { queryOne } from '../../entities/database/sql';
import { counted, each, maxCounted, type FigureReader } from './reader';

const kinds = ['clicks', 'facts', 'commissions'] as const;

const some = (from: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${from} LIMIT ${maxCounted}) AS few)`;

/** How much readers have to add up by themselves. */
export const analyticsFigures: FigureReader = {
  reader: 'analytics',
  figures: [
    {
      name: 'analytics_unfolded',
      help: `Clicks, facts and changes of commissions that are not in their sums yet, ${counted}`,
      labels: ['kind'],
      zeros: each('kind', kinds),
    },
  ],
  async read(db) {
    const row = await queryOne<Record<(typeof kinds)[number], number>>(
      db,
      `SELECT ${some('clicks WHERE recorded_in >= (SELECT folded_before FROM analytics_state)')}
           AS clicks,
         ${some('analytics_facts')} AS facts, ${some('commission_count_deltas')} AS commissions`,
    );
    return kinds.map((kind) => ({
      name: 'analytics_unfolded',
      labels: { kind },
      value: row?.[kind] ?? 0,
    }));
  },
};
