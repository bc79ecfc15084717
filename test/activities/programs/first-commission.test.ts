import { setTimeout as pause } from 'node:timers/promises';
import { recordAll, submissionOf } from '../../../activities/conversions/record';
import { recordConversion } from '../../../activities/purchases/report-purchase';
import { updateProgram } from '../../../activities/programs/programs';
import { Program } from '../../../entities/tables/programs/program.entity';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { execute, query, transaction, type Db } from '../../../entities/database/sql';
import { buildReport } from '../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';

let database: TestDataSource;
let db: Db;

beforeAll(async () => {
  database = await openTestDataSource();
  db = database.source.manager;
});
afterAll(() => database.close());

const change = (scope: Scope, programId: string, currency: string) =>
  updateProgram(
    db,
    { scope, actor: systemActor, now: new Date() },
    { programId, patch: { currency } },
  );

async function flatProgram() {
  const participant = await buildParticipant(db);
  await db.update(
    Program,
    { id: participant.programId },
    { commissionType: 'flat', rateBps: null, amountCents: 500, basis: null },
  );
  const { code } = await buildPromoCode(db, participant);
  const scope = { workspaceId: participant.workspaceId, mode: participant.mode };
  const report = () =>
    recordConversion(db, { scope, now: new Date() }, buildReport({ promoCode: code }));
  const submission = () =>
    submissionOf({ scope, now: new Date() }, buildReport({ promoCode: code }));
  return { scope, programId: participant.programId, report, submission };
}

it('a currency that changes beside the first commission is the one that it gets', async () => {
  const { scope, programId, report } = await flatProgram();
  const made = await transaction(db, async (tx) => {
    await query(tx, 'SELECT 1 FROM programs WHERE id = $1 FOR UPDATE', [programId]);
    await execute(tx, `UPDATE programs SET currency = 'eur' WHERE id = $1`, [programId]);
    const pending = report();
    while ((await waiting()) === 0) await pause(5);
    return { pending };
  });

  expect(await made.pending).toMatchObject({ commission: { currency: 'eur', amountCents: 500 } });
  await expect(change(scope, programId, 'usd')).rejects.toMatchObject({
    code: 'PROGRAM_CURRENCY_FIXED',
  });
});

/** Sessions of this database that wait for a lock. */
async function waiting(): Promise<number> {
  const rows = await query(
    db,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}

it('a change that races with the first commission never leaves the two apart', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { scope, programId, report } = await flatProgram();
    const [made] = await Promise.allSettled([report(), change(scope, programId, 'eur')]);
    const { currency } = await db.findOneByOrFail(Program, { id: programId });
    expect(made).toMatchObject({ value: { commission: { currency } } });
  }
});

it('a shared commit waits for the lock of a programme no longer than for any other', async () => {
  const [held, other] = [await flatProgram(), await flatProgram()];
  await transaction(db, async (tx) => {
    await query(tx, 'SELECT 1 FROM programs WHERE id = $1 FOR UPDATE', [held.programId]);
    const begun = Date.now();
    const both = recordAll(db, [held.submission(), other.submission()]);
    await expect(both).rejects.toMatchObject({ code: '55P03' });
    // A statement that serves one request may wait five seconds for a lock.
    expect(Date.now() - begun).toBeLessThan(4_500);
  });
});
