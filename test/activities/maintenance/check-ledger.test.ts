import { checkLedger } from '../../../activities/maintenance/check-ledger';
import { execute, query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useDeps } from '../../support/app';
import { asOwner } from '../../support/database';
import { copyCommission, copyId } from '../../support/build/many-commissions';

const others = 9_000;
const atOnce = 2_000;

const deps = useDeps();
beforeAll(async () => {
  jest.spyOn(deps.log, 'error').mockImplementation(() => undefined);
  // None has an entry, and none is owed anything.
  const overrides = { owed_cents: 0, reserved_cents: 0 };
  await copyCommission(deps, { count: others, overrides });
}, 60_000);

/** A night's batches: how many, and how many were found wrong. */
async function night(): Promise<{ batches: number; wrong: number }> {
  let [after, batches, wrong] = [null as string | null, 0, 0];
  do {
    const checked = await checkLedger(deps, { after });
    ({ after } = checked);
    wrong += checked.wrong;
    batches += 1;
  } while (after !== null);
  return { batches, wrong };
}

const owe = (id: string, cents: number): Promise<number> =>
  execute(deps.db.manager, 'UPDATE commissions SET owed_cents = $2 WHERE id = $1', [id, cents]);

async function known(): Promise<string[]> {
  const rows = await query<{ id: string }>(
    deps.db.manager,
    'SELECT commission_id AS id FROM ledger_mismatches ORDER BY 1',
  );
  return rows.map(({ id }) => id);
}

describe('the check of ledgers', () => {
  it('compares in a night what was booked since the last one, and a part of all others', async () => {
    await owe(copyId(1), 5);
    await owe(copyId(others), 5);
    // What was known, what was booked, and a batch of the others.
    expect(await night()).toEqual({ batches: 3, wrong: 1 });
    expect(await known()).toEqual([copyId(1)]);

    await execute(
      deps.db.manager,
      `INSERT INTO ledger_entries (id, workspace_id, mode, program_id, participant_id, commission_id,
         type, amount_cents, currency, created_at)
       SELECT $1, workspace_id, mode, program_id, participant_id, id, 'accrual', 7, currency,
         now() - interval '1 hour' FROM commissions WHERE id = $2`,
      [newId(), copyId(8_000)],
    );
    await night();
    expect(await known()).toEqual([copyId(1), copyId(8_000)]);
  });

  it('comes to all of them in the end, and begins again', async () => {
    for (let left = Math.ceil(others / atOnce); left > 0; left -= 1) await night();
    expect(await known()).toContain(copyId(others));
  });

  it('forgets what is right again, or gone', async () => {
    await owe(copyId(1), 0);
    await owe(copyId(others), 0);
    await asOwner(
      deps.config.databaseUrl,
      `SET session_replication_role = replica; DELETE FROM commissions WHERE id = '${copyId(8_000)}'`,
    );
    expect((await night()).wrong).toBe(0);
    expect(await known()).toEqual([]);
  });
});
