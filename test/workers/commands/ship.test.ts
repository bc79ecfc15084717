import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { upkeepFigures } from '../../../activities/figures/upkeep';
import { changedSince } from '../../../activities/restore/audit-lines';
import { insertAll } from '../../../entities/database/insert-all';
import { execute, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { hourMs } from '../../../entities/rules/values/duration';
import { ErasedRecord } from '../../../entities/tables/erasure/erased-record.entity';
import { readErasureFile } from '../../../workers/commands/erasure-file';
import { ledgerLinesIn, writeLedger } from '../../../workers/commands/shipped-files';
import { openTestDeps, testEnvironment, type TestDeps } from '../../support/app';
import { holdTransaction } from '../../support/postgres/held-transaction';
import { runBuiltCommand } from '../../support/stack/commands';
import { buildService } from '../../support/stack/service-process';

let deps: TestDeps;
let folder: string;
beforeAll(async () => {
  buildService();
  deps = await openTestDeps();
  folder = mkdtempSync(path.join(tmpdir(), 'shipped-'));
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await deps.close();
});

const db = () => deps.db.manager;
const ship = (...args: string[]) =>
  runBuiltCommand('ship', testEnvironment(deps.config.databaseUrl), ...args);
const auditFiles = () => readdirSync(folder).filter((name) => name.startsWith('audit-'));
const shippedIds = () =>
  auditFiles().flatMap((name) =>
    changedSince(readFileSync(path.join(folder, name), 'utf8'), new Date(0)).map(
      ({ targetId }) => targetId,
    ),
  );

/** A line of the audit log, written within a transaction or at once; the id of what it is about. */
async function audit(on: Db, at = new Date()): Promise<string> {
  const target = newId();
  await execute(
    on,
    `INSERT INTO audit_log (id, actor_type, action, target_type, target_id, created_at)
     VALUES ($1, 'system', 'api_key.revoked', 'api_key', $2, $3)`,
    [newId(at), target, at],
  );
  return target;
}

const ageOf = async (name: string): Promise<number | undefined> =>
  (await upkeepFigures.read(db(), { now: new Date(), clickMonths: 0 })).find(
    (one) => one.name === 'shipment_age_seconds' && one.labels?.['name'] === name,
  )?.value;

const makeOld = (name: string) =>
  execute(db(), `UPDATE shipments SET shipped_at = now() - interval '2 hours' WHERE name = $1`, [
    name,
  ]);

it('ships audit lines since the last file, those of a transaction that ended late too', async () => {
  const dayOld = await audit(db(), new Date(Date.now() - 25 * hourMs));
  const first = await audit(db());
  const late = await holdTransaction(db());
  const lateTarget = await audit(late.tx);
  await makeOld('audit');
  expect(await ship('audit', folder)).toMatchObject({ code: 0 });
  expect(await ageOf('audit')).toBeLessThan(600);
  expect(shippedIds()).toContain(first);
  expect(shippedIds()).not.toContain(lateTarget);
  expect(shippedIds()).not.toContain(dayOld);

  await late.commit();
  const second = await audit(db());
  const old = 'audit-20250101T000000.000Z.jsonl';
  writeFileSync(path.join(folder, old), '');
  expect(await ship('audit', folder)).toMatchObject({ code: 0 });
  expect(shippedIds()).toEqual(expect.arrayContaining([first, lateTarget, second]));
  expect(auditFiles()).toHaveLength(2);
  expect(auditFiles()).not.toContain(old);
}, 60_000);

it('adds to the ledger of erasures, and keeps what a restored database has lost', async () => {
  const lost = { kind: 'invite', subjectId: newId() } as const;
  const file = path.join(folder, 'erasures.jsonl');
  expect(await ship('erasures', folder)).toMatchObject({ code: 0 });
  expect(readErasureFile(file)).toEqual([]);

  writeFileSync(file, `${JSON.stringify(lost)}\n`);
  const known = { kind: 'invite', subjectId: newId() } as const;
  const row = { ...known, erasedAt: new Date() };
  await insertAll(db(), { into: ErasedRecord, rows: [row] });
  await makeOld('erasures');
  for (const time of ['once', 'again']) {
    expect([time, (await ship('erasures', folder)).code]).toEqual([time, 0]);
    expect(readErasureFile(file)).toEqual([lost, known]);
  }
  expect(await ageOf('erasures')).toBeLessThan(600);
}, 60_000);

it('writes the ledger whole when two ship it at once', async () => {
  const lines = Array.from({ length: 2_000 }, (_, n) => JSON.stringify({ n }));
  await Promise.all([writeLedger(folder, lines), writeLedger(folder, lines)]);
  expect(ledgerLinesIn(folder)).toEqual(lines);
});

it.each([[[]], [['audit']], [['keys', tmpdir()]], [['audit', tmpdir(), 'more']]])(
  'says how it is called for %j',
  async (args) => {
    const { code, out } = await ship(...args);
    expect(code).toBe(1);
    expect(out).toContain('aps ship erasures <folder>');
  },
);
