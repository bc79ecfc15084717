import { setTimeout as pause } from 'node:timers/promises';
import { recordAll, submissionOf } from '../../../activities/conversions/record';
import { updateProgram } from '../../../activities/programs/programs';
import { RowsLockedError } from '../../../entities/database/errors';
import { Program } from '../../../entities/tables/programs/program.entity';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { execute, query, transaction, type Db } from '../../../entities/database/sql';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';
import { oneRow } from '../../support/rows';
import { update } from '../../../entities/database/update';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const change = (scope: Scope, programId: string, currency: string) =>
  updateProgram(
    db,
    { scope, actor: systemActor, now: new Date() },
    { programId, patch: { currency } },
  );

async function flatProgram() {
  const participant = await buildParticipant(db);
  await update(db, Program, {
    where: { id: participant.programId },
    set: { commissionType: 'flat', rateBps: null, amountCents: 500, basis: null },
  });
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
    // Time for more than one attempt, all of which find the programme locked.
    const first = await Promise.race([pending, pause(100).then(() => 'waits')]);
    expect(first).toBe('waits');
    return { pending };
  });

  expect(await made.pending).toMatchObject({ commission: { currency: 'eur', amountCents: 500 } });
  await expect(change(scope, programId, 'usd')).rejects.toMatchObject({
    code: 'PROGRAM_CURRENCY_FIXED',
  });
});

it('a change that races with the first commission never leaves the two apart', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { scope, programId, report } = await flatProgram();
    const [made] = await Promise.allSettled([report(), change(scope, programId, 'eur')]);
    const { currency } = await oneRow(db, Program, { id: programId });
    expect(made).toMatchObject({ value: { commission: { currency } } });
  }
});

it('a shared commit waits for no programme, and records what is free', async () => {
  const [held, other] = [await flatProgram(), await flatProgram()];
  await transaction(db, async (tx) => {
    await query(tx, 'SELECT 1 FROM programs WHERE id = $1 FOR UPDATE', [held.programId]);
    const both = await recordAll(db, [held.submission(), other.submission()]);
    expect(both).toEqual([
      { error: expect.any(RowsLockedError) },
      { record: expect.objectContaining({ attributed: true }) },
    ]);
  });
});
