import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { readLedger, replayErasures } from '../../../activities/erasure/replay';
import { createVault, type Vault } from '../../../runtime/crypto/vault';
import { loadConfig } from '../../../runtime/config/config';
import { createDatabase, type Database } from '../../../entities/database/database';
import { testEnvironment } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildParticipant } from '../../support/build/programs';
import { copyDatabase, createTestDatabase, type TestDatabase } from '../../support/database';
import { findTraces, readTables } from '../../support/stored/traces';

const vault = createVault(loadConfig(testEnvironment('postgres://unused')).secrets);
const databases: TestDatabase[] = [];
afterAll(async () => {
  for (const database of databases) await database.drop();
});

interface Opened {
  db: Database;
  vault: Vault;
}

async function withDatabase<T>(
  { url }: TestDatabase,
  work: (deps: Opened) => Promise<T>,
): Promise<T> {
  const db = createDatabase({ url, poolSize: 2 });
  try {
    return await work({ db, vault });
  } finally {
    await db.destroy();
  }
}

it('erases on a restored backup whom the ledger names, again and again to the same end', async () => {
  const live = await createTestDatabase();
  databases.push(live);
  const token = `zqrestored${newId().slice(-8)}`;
  const ids = await withDatabase(live, async (deps) => {
    const db = deps.db.manager;
    const partner = await buildPartner(db, {
      name: `Rita ${token}`,
      email: `${token}@example.test`,
    });
    const participant = await buildParticipant(db, {
      partnerId: partner.id,
      partnerName: partner.name,
      partnerEmail: partner.email,
      message: token,
    });
    const due = await buildCommission(db, { participant, status: 'approved' });
    await buildPayout(db, [due]);
    return { partnerId: partner.id, participantId: participant.id };
  });
  const backup = await copyDatabase(live);
  databases.push(backup);

  const cause = { actor: systemActor, now: new Date() };
  const account = { kind: 'account' as const, subjectId: ids.partnerId };
  const ledger = await withDatabase(live, async (deps) => {
    expect(await replayErasures(deps, cause, [account])).toBe(1);
    return readLedger(deps.db.manager);
  });
  expect(ledger).toEqual([account]);

  await withDatabase(backup, async (deps) => {
    expect(findTraces(await readTables(deps), [token])).not.toEqual([]);
    expect(await replayErasures(deps, cause, ledger)).toBe(1);
    expect(findTraces(await readTables(deps), [token])).toEqual([]);
    expect(await replayErasures(deps, cause, ledger)).toBe(0);
  });
});
