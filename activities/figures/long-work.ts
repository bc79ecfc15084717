import { query, queryOne } from '../../entities/database/sql';
import { counted, each, maxCounted, zeroOf, type FigureReader } from './reader';

const statuses = ['locked', 'anonymised'] as const;

/** Erasures and resets of test data that have not ended. */
export const longWorkFigures: FigureReader = {
  reader: 'long-work',
  figures: [
    {
      name: 'erasures_open',
      help: `Erasures that have not ended, by status, ${counted}`,
      labels: ['status'],
      zeros: each('status', statuses),
    },
    {
      name: 'erasure_oldest_open_seconds',
      help: 'How long ago the oldest erasure began that has not ended',
      zeros: zeroOf,
    },
    {
      name: 'test_resets_open',
      help: `Resets of test data, and ends of closed workspaces, that have not ended, ${counted}`,
      zeros: zeroOf,
    },
  ],
  async read(db, { now }) {
    const erasures = await query<{ status: string; count: number; seconds: number }>(
      db,
      `SELECT status, count(*) AS count,
         greatest(extract(epoch FROM $1 - min(erased_at)), 0)::float8 AS seconds
         FROM (SELECT status, erased_at FROM erasures
                WHERE status IN ('locked', 'anonymised') ORDER BY id LIMIT ${maxCounted}) AS open
        GROUP BY status`,
      [now],
    );
    const resets = await queryOne<{ count: number }>(
      db,
      `SELECT count(*) AS count FROM (SELECT 1 FROM test_data_resets
         WHERE status IN ('queued', 'running') LIMIT ${maxCounted}) AS open`,
    );
    return [
      ...erasures.map(({ status, count }) => ({
        name: 'erasures_open',
        labels: { status },
        value: count,
      })),
      {
        name: 'erasure_oldest_open_seconds',
        value: Math.max(0, ...erasures.map(({ seconds }) => seconds)),
      },
      { name: 'test_resets_open', value: resets?.count ?? 0 },
    ];
  },
};
