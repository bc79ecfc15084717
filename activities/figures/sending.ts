import { queryOne } from '../../entities/database/sql';
import { counted, maxCounted, zeroOf, type FigureReader } from './reader';

const read = `
  SELECT
    (SELECT count(*) FROM (
       SELECT 1 FROM payout_items WHERE attention_reason IS NOT NULL LIMIT ${maxCounted}) AS few) AS attention,
    (SELECT coalesce(max(extract(epoch FROM now() - coalesce(first_try_at, created_at))), 0)::float8
       FROM payout_batches WHERE status = 'trying') AS "unknownSeconds"`;

/** Payouts that a provider sends. */
export const sendingFigures: FigureReader = {
  reader: 'sending',
  figures: [
    {
      name: 'payout_attention',
      help: `Items of payouts that a person has to look at, ${counted}`,
      zeros: zeroOf,
    },
    {
      name: 'payout_batch_unknown_seconds',
      help: 'How long ago the oldest batch was first given to its provider of which nobody knows whether it was taken',
      zeros: zeroOf,
    },
  ],
  async read(db) {
    const row = await queryOne<{ attention: number; unknownSeconds: number }>(db, read);
    return [
      { name: 'payout_attention', value: row?.attention ?? 0 },
      { name: 'payout_batch_unknown_seconds', value: row?.unknownSeconds ?? 0 },
    ];
  },
};
