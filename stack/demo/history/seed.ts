import { findOne } from '../../../entities/database/find';
import { Program } from '../../../entities/tables/programs/program.entity';
import { execute, queryOne, transaction, type Db, type Tx } from '../../../entities/database/sql';
import { seedClicks } from './clicks';
import { ensurePartitions } from './partitions';
import { seedPartners } from './partners';
import { seedSales } from './sales';
import { createRandom, demoPartners } from './shape';

export interface HistoryOptions {
  programId: string;
  /** Where the history ends; nothing is later. */
  end: Date;
  /** How long it is, at most 365. */
  days: number;
  clicks: number;
  conversions: number;
}

/**
 * Gives a programme some weeks or months of history, up to a year: all of it in one transaction, or nothing. False when the
 * programme has it already. Nothing of it is announced: no webhook, mail or notification goes out.
 */
export async function seedHistory(db: Db, options: HistoryOptions): Promise<boolean> {
  await ensurePartitions(db, options.end);
  return transaction(db, async (tx) => {
    const program = await lockProgram(tx, options.programId);
    if (await hasHistory(tx, program.id)) return false;

    const { end, days, clicks, conversions } = options;
    const random = createRandom(20_261_122);
    const partners = await seedPartners(tx, program, { end, days });
    await seedClicks(tx, partners, { count: clicks, end, days, random });
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

async function hasHistory(tx: Tx, programId: string): Promise<boolean> {
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
 * seconds. Commissions that are pending still get their workflows now: the sweep would count them as lost.
 */
async function dropAnnouncements(tx: Tx, end: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE outbox AS o SET available_at = now() FROM commissions AS c
      WHERE o.topic = 'commission' AND o.available_at < $1
        AND c.id = o.ref AND c.status = 'pending'`,
    [end],
  );
  await execute(
    tx,
    `DELETE FROM outbox WHERE available_at < $1
       AND xmin::text::bigint >= (pg_current_xact_id()::text::bigint & 4294967295)`,
    [end],
  );
}
