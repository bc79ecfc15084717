import { findOne } from '../../../entities/database/find';
import { Program } from '../../../entities/tables/programs/program.entity';
import { execute, queryOne, transaction, type Db, type Tx } from '../../../entities/database/sql';
import { ensurePartitions, seedClicks } from './clicks';
import { seedPartners } from './partners';
import { seedSales } from './sales';
import { createRandom, demoPartners } from './shape';

export interface YearOptions {
  programId: string;
  /** Where the year ends; nothing is later. */
  end: Date;
  clicks: number;
  conversions: number;
}

/**
 * Gives a programme a year of history: all of it in one transaction, or nothing. False when the
 * programme has it already. Nothing of it is announced: no webhook, mail or notification goes out.
 */
export async function seedYear(db: Db, options: YearOptions): Promise<boolean> {
  await ensurePartitions(db, options.end);
  return transaction(db, async (tx) => {
    const program = await lockProgram(tx, options.programId);
    if (await hasYear(tx, program.id)) return false;

    const { end, clicks, conversions } = options;
    const random = createRandom(20_261_122);
    const partners = await seedPartners(tx, program, end);
    await seedClicks(tx, partners, { count: clicks, end, random });
    await seedSales(tx, { program, partners, count: conversions, end, random });
    await dropAnnouncements(tx, end);
    await queryOne(tx, `SELECT analytics_rebuild('-infinity', 'infinity')`);
    return true;
  });
}

/** Sales in euro and pounds are welcome from now on. */
async function lockProgram(tx: Tx, programId: string): Promise<Program> {
  await execute(
    tx,
    `UPDATE programs SET accepted_currencies = '{eur,gbp}' WHERE id = $1 AND mode = 'test'`,
    [programId],
  );
  const program = await findOne(tx, Program, { where: { id: programId, mode: 'test' } });
  if (!program) throw new Error('there is no such programme in test mode');
  return program;
}

async function hasYear(tx: Tx, programId: string): Promise<boolean> {
  const row = await queryOne<{ found: boolean }>(
    tx,
    `SELECT EXISTS (SELECT 1 FROM participants
       WHERE program_id = $1 AND referral_code = ANY ($2)) AS found`,
    [programId, demoPartners.map(({ referralCode }) => referralCode)],
  );
  return row?.found ?? false;
}

/**
 * What happened in the past is no news. Real work is never that old: it is carried on within
 * seconds. Pending commissions get their workflows by the sweep.
 */
async function dropAnnouncements(tx: Tx, end: Date): Promise<void> {
  await execute(
    tx,
    `DELETE FROM outbox WHERE available_at < $1
       AND xmin::text::bigint >= (pg_current_xact_id()::text::bigint & 4294967295)`,
    [end],
  );
}
