import { aliasLockKey } from '../../../activities/conversions/alias-locks';
import { Client } from 'pg';
import { lockNames } from '../../../activities/customers/names';
import { insertCustomers } from '../../../activities/customers/insert';
import { recordAll, submissionOf } from '../../../activities/conversions/record';
import type { ConversionReport, ReportContext } from '../../../activities/conversions/report';
import {
  createConversionRecorder,
  type ConversionRecorder,
} from '../../../activities/purchases/report-purchase';
import { RowsLockedError } from '../../../entities/database/errors';
import { transaction, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { buildReport, recordConversion } from '../../support/build/conversions';
import { buildParticipant, buildPromoCode } from '../../support/build/programs';
import { useDatabase } from '../../support/data-source';
import { within } from '../../support/eventually';

/** The lock timeout of the pool is 5 s: whoever waits for a lock waits for so long. */
const beforeTimeoutMs = 2_500;

const database = useDatabase(20);
let db: Db;
let holder: Client;

beforeAll(async () => {
  db = database.source.manager;
});

beforeEach(async () => {
  holder = new Client({ connectionString: database.url });
  await holder.connect();
});
afterEach(() => holder.end());

interface Tenant {
  workspaceId: string;
  reportOf(id: string): [ReportContext, ConversionReport];
  report(recorder: ConversionRecorder, id: string): Promise<unknown>;
}

async function buildTenant(): Promise<Tenant> {
  const participant = await buildParticipant(db);
  const { code } = await buildPromoCode(db, participant);
  const { workspaceId, mode } = participant;
  const reportOf: Tenant['reportOf'] = (externalTransactionId) => [
    { scope: { workspaceId, mode }, now: new Date() },
    buildReport({ promoCode: code, externalTransactionId }),
  ];
  return {
    workspaceId,
    reportOf,
    report: (recorder, id) => recorder.record(db, ...reportOf(id)),
  };
}

/** An id whose conversion is not committed yet, as an event's transaction leaves it. */
async function holdAlias({ workspaceId }: Tenant, alias: string): Promise<void> {
  await holder.query('BEGIN');
  await holder.query(
    `SELECT pg_advisory_xact_lock(${aliasLockKey('workspace_id', 'mode', '$2::text')})
       FROM participants WHERE workspace_id = $1 LIMIT 1`,
    [workspaceId, alias],
  );
  await holder.query(
    `INSERT INTO conversion_aliases (workspace_id, mode, alias, conversion_id)
     SELECT $1, mode, $2, $3 FROM participants WHERE workspace_id = $1 LIMIT 1`,
    [workspaceId, alias, newId()],
  );
}

async function timed(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}

it('a shared commit waits for no lock', async () => {
  const [mallory, nancy] = [await buildTenant(), await buildTenant()];
  for (const one of [mallory, nancy]) await one.report(createConversionRecorder(db), newId());
  const turns = 40;
  const ms = { alone: 0, beside: 0 };
  for (let turn = 0; turn < turns; turn += 1) {
    // A recorder that has met no lock before: both reports go into one commit.
    const recorder = createConversionRecorder(db);
    ms.alone += await timed(nancy.report(recorder, newId()));

    const alias = newId();
    await holdAlias(mallory, alias);
    const held = mallory.report(recorder, alias);
    ms.beside += await timed(nancy.report(recorder, newId()));
    await holder.query('ROLLBACK');
    await held;
  }
  // A second commit a turn, and room; were the lock waited for, it would be hundreds of times as long.
  expect(ms.beside / ms.alone).toBeLessThan(20);
});

it('a shared commit that begins with the first commission of a programme waits for no lock', async () => {
  const [mallory, nancy] = [await buildTenant(), await buildTenant()];
  await nancy.report(createConversionRecorder(db), newId());
  const recorder = createConversionRecorder(db);
  const alias = newId();
  await holdAlias(mallory, alias);
  const held = mallory.report(recorder, alias);
  await within(beforeTimeoutMs, nancy.report(recorder, newId()));
  await holder.query('ROLLBACK');
  expect(await held).toMatchObject({ attributed: true });
});

it('a shared commit that binds a customer whom another transaction makes at this moment waits for no lock', async () => {
  const [mallory, nancy] = [await buildTenant(), await buildTenant()];
  for (const one of [mallory, nancy]) await one.report(createConversionRecorder(db), newId());
  const recorder = createConversionRecorder(db);
  const customerId = newId();
  const [context, report] = mallory.reportOf(newId());
  const { scope, now } = context;
  const held = await transaction(db, async (tx) => {
    await lockNames(tx, scope, [customerId]);
    const nobodys = { binding: null, firstPayments: {}, lastPaidAt: null };
    await insertCustomers(tx, [{ scope, now, customerId, ...nobodys }]);
    const waiting = recorder.record(db, context, { ...report, customerId });
    await within(beforeTimeoutMs, nancy.report(recorder, newId()));
    return { waiting };
  });
  expect(await held.waiting).toMatchObject({ attributed: true });
});

it('a shared commit that shares an id with a report within an open transaction waits for no lock', async () => {
  const [mallory, nancy] = [await buildTenant(), await buildTenant()];
  for (const one of [mallory, nancy]) await one.report(createConversionRecorder(db), newId());
  const alias = newId();
  const submissions = [mallory.reportOf(alias), nancy.reportOf(newId())].map((report) =>
    submissionOf(...report),
  );
  await transaction(db, async (tx) => {
    await recordConversion(tx, ...mallory.reportOf(alias));
    const outcomes = await recordAll(db, submissions);
    expect(outcomes).toMatchObject([
      { error: expect.any(RowsLockedError) as unknown },
      { record: { attributed: true } },
    ]);
  });
  const [again] = await recordAll(db, submissions.slice(0, 1));
  expect(again).toMatchObject({ error: { code: 'CONVERSION_DUPLICATE' } });
});
