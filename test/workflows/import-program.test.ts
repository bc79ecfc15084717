import { newId } from '../../entities/ids';
import { query } from '../../entities/database/sql';
import { createImportActivities } from '../../activities/imports/activities';
import { aliasLockKey } from '../../activities/conversions/alias-locks';
import { applyImport, bookNext } from '../../activities/imports/apply';
import { checkImport } from '../../activities/imports/check';
import { keepFile } from '../../activities/imports/files';
import { cancelImport, createImport, getImport } from '../../activities/imports/imports';
import { runImportTurn } from '../../activities/imports/turn';
import { undoImport } from '../../activities/imports/undo';
import { readImportFile } from '../../api/imports/read-file';
import { importTurnQuery, type importProgram } from '../../workflows/import-program';
import { changedSignalName, workflowIds } from '../../runtime/temporal/messages';
import { openTestDeps, type TestDeps } from '../support/app';
import { contextAt } from '../support/build/decisions';
import { buildProgram } from '../support/build/programs';
import { until } from '../support/eventually';
import { holdTransaction } from '../support/postgres/held-transaction';
import { csvOf } from '../support/imports';
import { saveHistory } from '../support/workers/histories';
import { startResetWorker } from '../support/workers/reset';

const taskQueue = `import-${newId()}`;
let deps: TestDeps;

beforeAll(async () => {
  deps = await openTestDeps();
}, 60_000);
afterAll(() => deps.close());

const rows = 1_200;
const partners = csvOf(
  Array.from({ length: rows }, (_, n) => ({ partner_id: `p${n}`, email: `p${n}@example.com` })),
);
const commissions = csvOf(
  Array.from({ length: rows }, (_, n) => ({
    commission_id: `c${n}`,
    partner_id: `p${n}`,
    sale_id: `s${n}`,
    sale_amount: '100.00',
    amount: '10.00',
    currency: 'usd',
    status: n % 2 === 0 ? 'paid' : 'approved',
    occurred_at: '2026-01-01',
  })),
);

/** An import with its files, as its routes make it. */
async function begin() {
  const db = deps.db.manager;
  const program = await buildProgram(db, { mode: 'test' });
  const context = contextAt(program, deps.clock.now());
  const stores = { db, vault: deps.vault };
  const { id: programId } = program;
  const cutover = new Date('2026-06-01T00:00:00.000Z');
  const { id: importId } = await createImport(stores, context, {
    programId,
    draft: { source: 'csv', cutover },
  });
  const key = { programId, importId };
  for (const [kind, csv] of Object.entries({ partners, commissions })) {
    const table = readImportFile(Buffer.from(csv));
    if (!table) throw new Error('a file without a header');
    await keepFile(stores, context, { ...key, kind: kind as 'partners', part: 1, table });
  }
  const read = () => getImport(db, context.scope, key);
  return { key, context, read, program };
}

const start = (importId: string) =>
  deps.temporal.client.workflow.signalWithStart<typeof importProgram>('importProgram', {
    workflowId: workflowIds.import(importId),
    taskQueue,
    args: [{ importId }],
    signal: changedSignalName,
    signalArgs: [],
  });

it('reads and books, and its history names nobody', async () => {
  const worker = await startResetWorker(deps, taskQueue, createImportActivities(deps));
  const { key, context, read } = await begin();
  await checkImport(deps.db.manager, context, key);
  const handle = await start(key.importId);
  const turn = await handle.result();
  expect(turn).toMatchObject({ status: 'checked', isDone: true });
  expect(await handle.query(importTurnQuery)).toEqual(turn);
  expect(await saveHistory(handle, 'import-program')).not.toContain('example.com');

  const { report } = await read();
  const expected = (report?.money ?? []).map(({ currency, openCents, paidCents }) => {
    return { currency, openCents, paidCents };
  });
  expect(expected).toEqual([{ currency: 'usd', openCents: 600_000, paidCents: 600_000 }]);
  await applyImport(deps.db.manager, context, { ...key, expected });
  await (await start(key.importId)).result();
  const applied = await read();
  expect([applied.status, applied.report]).toEqual(['applied', report]);
  await worker.stop();
}, 120_000);

it('goes on behind the last batch when its process is killed between any two, to the same report', async () => {
  const { key, context, read, program } = await begin();
  let turns = 0;
  const dying = {
    // A worker that dies after a batch: what is committed stays, its answer is lost.
    importTurn: (input: { importId: string }) => {
      turns += 1;
      const dies = turns % 5 !== 0;
      return runImportTurn(deps, input.importId, () => {
        if (dies) throw new Error('killed');
      });
    },
  };
  const worker = await startResetWorker(deps, taskQueue, dying);
  await checkImport(deps.db.manager, context, key);
  await (await start(key.importId)).result();
  const { report } = await read();
  const expected = [{ currency: 'usd', openCents: 600_000, paidCents: 600_000 }];
  await applyImport(deps.db.manager, context, { ...key, expected });
  await (await start(key.importId)).result();
  const applied = await read();
  expect([applied.status, applied.report]).toEqual(['applied', report]);
  const [counts] = await query<object>(
    deps.db.manager,
    `SELECT count(*)::int AS commissions, count(DISTINCT conversion_id)::int AS sales,
            (SELECT count(*)::int FROM participants WHERE program_id = $1) AS partners,
            (SELECT sum(amount_cents)::int FROM ledger_entries
              WHERE program_id = $1 AND type = 'import') AS imported
       FROM commissions WHERE program_id = $1`,
    [program.id],
  );
  expect(counts).toEqual({
    commissions: rows,
    sales: rows,
    partners: rows,
    imported: 1_200_000,
  });
  expect(turns).toBeGreaterThan(2);
  await worker.stop();
}, 120_000);

it('comes to the same report when a block is done and the one in front of it is killed', async () => {
  const { key, context, read, program } = await begin();
  const db = deps.db.manager;
  await checkImport(db, context, key);
  await finish(key.importId);
  const { report } = await read();
  const expected = [{ currency: 'usd', openCents: 600_000, paidCents: 600_000 }];
  await applyImport(db, context, { ...key, expected });
  const next = async () => bookNext({ db, vault: deps.vault }, await read(), deps.clock.now());
  while ((await read()).place?.kind !== 'commissions') await next();

  // Whoever reports the first sale at this moment holds the first block up.
  const held = await holdTransaction(db);
  const { workspaceId, mode } = context.scope;
  const lock = aliasLockKey('$1::text', '$2::text', '$3::text');
  await query(held.tx, `SELECT pg_advisory_xact_lock(${lock})`, [workspaceId, mode, 's0']);
  const died = expect(next()).rejects.toThrow();
  await until(async () => ((await read()).place?.ahead ?? []).length > 0);
  expect((await read()).place).toMatchObject({ after: 0, ahead: [{ from: 500, to: 1_000 }] });
  await query(
    db,
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  await died;
  await held.rollback();

  await finish(key.importId);
  const applied = await read();
  expect([applied.status, applied.report]).toEqual(['applied', report]);
  expect(await bookedIn(program)).toEqual({ commissions: rows, sales: rows, imported: 1_200_000 });
}, 120_000);

it('takes back what it booked once, however often its process is killed between two batches', async () => {
  const { key, context, read, program } = await applied();
  const db = deps.db.manager;
  await undoImport(db, context, key);
  const killed = (): void => {
    throw new Error('killed');
  };
  let turns = 0;
  for (;;) {
    turns += 1;
    const turn = await runImportTurn(deps, key.importId, killed).catch(() => null);
    if (turn?.isDone) break;
  }
  expect(turns).toBeGreaterThan(6);
  expect(await read()).toMatchObject({ status: 'undone', error: null });
  const [left] = await query<object>(
    db,
    `SELECT (SELECT count(*)::int FROM commissions WHERE program_id = $1) AS commissions,
            (SELECT count(*)::int FROM conversions WHERE program_id = $1) AS sales,
            (SELECT count(*)::int FROM participants WHERE program_id = $1) AS partners,
            (SELECT count(*)::int FROM imported_records WHERE program_id = $1) AS records,
            (SELECT sum(amount_cents)::int FROM ledger_entries WHERE program_id = $1) AS owed,
            (SELECT sum(amount_cents)::int FROM ledger_entries
              WHERE program_id = $1 AND type = 'import' AND amount_cents < 0) AS opposite`,
    [program.id],
  );
  expect(left).toEqual({
    ...{ commissions: 0, sales: 0, partners: 0, records: 0 },
    ...{ owed: 0, opposite: -1_200_000 },
  });
}, 120_000);

it('stops behind the block that is being booked, and goes on to the same report', async () => {
  const { key, context, read, program } = await begin();
  const db = deps.db.manager;
  await checkImport(db, context, key);
  await finish(key.importId);
  const { report } = await read();
  const ask = () =>
    applyImport(db, context, {
      ...key,
      expected: [{ currency: 'usd', openCents: 600_000, paidCents: 600_000 }],
    });
  const asked = await Promise.allSettled([ask(), ask()]);
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const next = async () => bookNext({ db, vault: deps.vault }, await read(), deps.clock.now());
  while ((await read()).place?.kind !== 'commissions') await next();

  const held = await holdTransaction(db);
  const { workspaceId, mode } = context.scope;
  const lock = aliasLockKey('$1::text', '$2::text', '$3::text');
  await query(held.tx, `SELECT pg_advisory_xact_lock(${lock})`, [workspaceId, mode, 's0']);
  const booking = next();
  await until(async () => ((await read()).place?.ahead ?? []).length > 0);
  const stopping = cancelImport(db, context, key);
  await until(async () => (await waiting('transactionid', 'tuple')) > 0);
  await held.commit();
  await Promise.all([booking, stopping]);
  expect(await read()).toMatchObject({ status: 'stopped', place: { after: 1_000 } });
  expect(await bookedIn(program)).toMatchObject({ commissions: 1_000 });

  await ask();
  await finish(key.importId);
  const done = await read();
  expect([done.status, done.report]).toEqual(['applied', report]);
  expect(await bookedIn(program)).toEqual({ commissions: rows, sales: rows, imported: 1_200_000 });
}, 120_000);

/** How many wait for a lock of one of these types. */
async function waiting(...types: string[]): Promise<number> {
  const [row] = await query<{ count: number }>(
    deps.db.manager,
    `SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND wait_event = ANY ($1::text[])`,
    [types],
  );
  return row?.count ?? 0;
}

async function applied() {
  const begun = await begin();
  const { key, context } = begun;
  const db = deps.db.manager;
  await checkImport(db, context, key);
  await finish(key.importId);
  const expected = [{ currency: 'usd', openCents: 600_000, paidCents: 600_000 }];
  await applyImport(db, context, { ...key, expected });
  await finish(key.importId);
  return begun;
}

/** Turn after turn until nothing is left to be done. */
async function finish(importId: string): Promise<void> {
  while (!(await runImportTurn(deps, importId)).isDone);
}

async function bookedIn({ id }: { id: string }): Promise<object | undefined> {
  const [counts] = await query<object>(
    deps.db.manager,
    `SELECT count(*)::int AS commissions, count(DISTINCT conversion_id)::int AS sales,
            (SELECT sum(amount_cents)::int FROM ledger_entries
              WHERE program_id = $1 AND type = 'import') AS imported
       FROM commissions WHERE program_id = $1`,
    [id],
  );
  return counts;
}
