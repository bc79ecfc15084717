import { execute, query, transaction, type Db } from '../../entities/database/sql';
import { FiguresRow } from '../../entities/tables/upkeep/figures-row.entity';
import { selectList } from '../../entities/database/columns';
import type { Deps } from '../../runtime/process/deps';
import type { FigureReader } from './reader';

/** How old figures may become. */
export const readEveryMs = 15_000;

type ReadingDeps = Pick<Deps, 'db' | 'clock' | 'log'> & {
  config: Pick<Deps['config'], 'clickRetentionMonths'>;
};

/**
 * Reads the figures that are due and writes them down for all processes. Who comes first takes all
 * of them for `everyMs`: one process of the fleet reads. What cannot be read keeps its older figures.
 */
export async function readDueFigures(
  deps: ReadingDeps,
  readers: readonly FigureReader[],
  { everyMs = readEveryMs } = {},
): Promise<void> {
  const names = readers.map(({ reader }) => reader);
  const due = new Set(await takeDue(deps.db.manager, names, everyMs));
  for (const reader of readers) {
    if (!due.has(reader.reader)) continue;
    try {
      await readOne(deps, reader);
    } catch (error) {
      deps.log.warn({ err: error, reader: reader.reader }, 'figures could not be read');
    }
  }
}

async function takeDue(db: Db, names: string[], everyMs: number): Promise<string[]> {
  const rows = await query<{ reader: string }>(
    db,
    `INSERT INTO figures (reader, due_at)
       SELECT name, now() + $2 * interval '1 millisecond' FROM unnest($1::text[]) AS name
        ORDER BY name
     ON CONFLICT (reader) DO UPDATE SET due_at = EXCLUDED.due_at WHERE figures.due_at <= now()
     RETURNING reader`,
    [names, everyMs],
  );
  return rows.map(({ reader }) => reader);
}

async function readOne({ db, clock, config }: ReadingDeps, reader: FigureReader): Promise<void> {
  const time = { now: clock.now(), clickMonths: config.clickRetentionMonths };
  const samples = await transaction(db, async (tx) => {
    // Ten times what a statement takes beside a million rows: one that takes longer is in the way.
    await execute(tx, `SET LOCAL statement_timeout = '1s'`);
    return reader.read(tx, time);
  });
  await execute(
    db.manager,
    'UPDATE figures SET samples = $2::jsonb, read_at = now() WHERE reader = $1',
    [reader.reader, JSON.stringify(samples)],
  );
}

const columns = selectList(FiguresRow, 'f', ['reader', 'samples']);

/** What was read last, with its age in seconds. */
export type ReadFigures = Pick<FiguresRow, 'reader' | 'samples'> & { ageSeconds: number };

export function latestFigures(db: Db): Promise<ReadFigures[]> {
  return query(
    db,
    `SELECT ${columns}, extract(epoch FROM now() - f.read_at)::float8 AS "ageSeconds"
       FROM figures AS f WHERE f.read_at IS NOT NULL`,
  );
}
