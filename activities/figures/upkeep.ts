import { countFrom, query } from '../../entities/database/sql';
import { repairParts } from '../../runtime/temporal/messages';
import { counted, each, maxCounted, zeroOf, type FigureReader } from './reader';

/** How a repair is named among the recurring work. */
export const repairName = (part: string): string => `repair-${part}`;

/** Recurring work beside the repairs, by its schedule. */
const otherSchedules = [
  'partitions',
  'waitlist-purge',
  'retention',
  'reconcile-analytics',
  'check-ledgers',
] as const;

export const scheduleNames: readonly string[] = [...repairParts.map(repairName), ...otherSchedules];

/** When recurring work last succeeded, in whatever process; what the check of ledgers found, and how old the exports are. */
export const upkeepFigures: FigureReader = {
  reader: 'upkeep',
  figures: [
    {
      name: 'schedule_last_success_timestamp_seconds',
      help: 'When the work of a schedule last succeeded; 0 for never',
      labels: ['schedule'],
      zeros: each('schedule', scheduleNames),
    },
    {
      name: 'ledger_mismatches',
      help: `Commissions whose owed sum is not that of their ledger, as last compared, ${counted}`,
      zeros: zeroOf,
    },
    {
      name: 'shipment_age_seconds',
      help: 'How long ago what a restore needs was last written outside of the database',
      labels: ['name'],
      zeros: each('name', ['erasures', 'audit']),
    },
  ],
  async read(db) {
    const done = await query<{ schedule: string; seconds: number }>(
      db,
      `SELECT schedule, extract(epoch FROM succeeded_at)::float8 AS seconds FROM scheduled_work`,
    );
    const wrong = await countFrom(
      db,
      `(SELECT 1 FROM ledger_mismatches LIMIT ${maxCounted}) AS wrong`,
    );
    const shipped = await query<{ name: string; seconds: number }>(
      db,
      `SELECT name, extract(epoch FROM now() - shipped_at)::float8 AS seconds FROM shipments`,
    );
    return [
      ...done
        .filter(({ schedule }) => scheduleNames.includes(schedule))
        .map(({ schedule, seconds }) => ({
          name: 'schedule_last_success_timestamp_seconds',
          labels: { schedule },
          value: seconds,
        })),
      { name: 'ledger_mismatches', value: wrong },
      ...shipped.map(({ name, seconds }) => ({
        name: 'shipment_age_seconds',
        labels: { name },
        value: seconds,
      })),
    ];
  },
};
