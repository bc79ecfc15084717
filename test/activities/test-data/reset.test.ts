import { foldAll } from '../../support/stored/fold-all';
import { foldCommissionCounts } from '../../../activities/commissions/day-counts';
import { updateProgram } from '../../../activities/programs/programs';
import { runResetSlice } from '../../../activities/test-data/run-reset';
import { repairResets } from '../../../activities/test-data/resets';
import { countFrom, execute, query, type Db } from '../../../entities/database/sql';
import { waitForWriters } from '../../../entities/database/writers';
import { newId } from '../../../entities/ids';
import { systemActor } from '../../../entities/rules/values/actor';
import { useApp } from '../../support/app';
import { buildClick } from '../../support/build/clicks';
import { buildCommission } from '../../support/build/commissions';
import { buildConversion } from '../../support/build/conversions';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import {
  danglingRows,
  fingerprintOf,
  queueReset,
  rowCounts,
  runReset,
} from '../../support/stored/test-data';
import { buildWorld } from '../../support/world';
import { holdTransaction } from '../../support/postgres/held-transaction';

const app = useApp();
let db: Db;
beforeAll(async () => {
  db = app.deps.db.manager;
}, 60_000);

/** Some of everything in test mode: a world, a programme with clicks, and a folded counter. */
async function buildTestData(workspaceId?: string): Promise<string> {
  const world = await buildWorld(app, {
    mode: 'test',
    ...(workspaceId === undefined ? {} : { workspaceId }),
  });
  const program = await buildProgram(db, { workspaceId: world.workspaceId, mode: 'test' });
  await updateProgram(
    db,
    { scope: program, actor: systemActor, now: app.deps.clock.now() },
    { programId: program.id, patch: { holdDays: 7 } },
  );
  const participant = await buildParticipant(db, { program });
  for (let n = 0; n < 12; n += 1) await buildClick(db, { participant });
  for (let n = 0; n < 7; n += 1) await buildConversion(db, { participant });
  await foldCommissionCounts(db);
  await foldAll(db);
  await buildNotification(world.workspaceId, participant);
  await buildCommission(db, { participant, program });
  return world.workspaceId;
}

/** One in the feed of the workspace and one in the partner's. */
async function buildNotification(workspaceId: string, { partnerId }: { partnerId: string }) {
  await execute(
    db,
    `INSERT INTO notifications (id, feed_id, seq, side, workspace_id, mode, category, type, audience,
       cause_id, title, body, data, created_at)
     SELECT gen_random_uuid(), feed, 1000000, side, $1, 'test', 'commissions', 'commission.created',
            'everyone', gen_random_uuid(), 'Title', 'Body', '{}', $3
       FROM (VALUES ($1::uuid, 'merchant'), ($2::uuid, 'partner')) AS f (feed, side)`,
    [workspaceId, partnerId, app.deps.clock.now()],
  );
}

describe('a reset of test data', () => {
  it('deletes all that is of test mode, and nothing else', async () => {
    const workspaceId = await buildTestData();
    await buildWorld(app, { mode: 'live', workspaceId });
    const other = await buildWorld(app, { mode: 'test' });
    const test = { workspaceId, mode: 'test' };
    const live = { workspaceId, mode: 'live' };
    const before = await rowCounts(db, test);
    const kept = [await fingerprintOf(db, live), await other.fingerprint()];
    const credentials = await countFrom(db, 'api_keys WHERE workspace_id = $1', [workspaceId]);

    await queueReset(app.deps, workspaceId);
    const { status, deleted } = await runReset(app.deps, workspaceId);

    expect(status).toBe('completed');
    expect(await rowCounts(db, test)).toEqual({});
    expect(deleted).toMatchObject({
      programs: before['programs'],
      clicks: before['clicks'],
      conversions: before['conversions'],
      conversion_aliases: before['conversion_aliases'],
      ledger_entries: before['ledger_entries'],
      events: before['events'],
      analytics_rollups: before['analytics_rollups'],
      notifications: before['notifications'],
      // One of Stripe, one of Paddle.
      stripe_events: 2,
      webhook_deliveries: before['webhook_deliveries'],
    });
    expect([await fingerprintOf(db, live), await other.fingerprint()]).toEqual(kept);
    expect(await countFrom(db, 'api_keys WHERE workspace_id = $1', [workspaceId])).toBe(
      credentials,
    );
    expect(await danglingRows(db)).toEqual({});
    expect(await countFrom(db, 'test_data_reset_targets')).toBe(0);
  });

  it('goes on wherever it died, and counts each row once', async () => {
    const workspaceId = await buildTestData();
    const scope = { workspaceId, mode: 'test' };
    const before = await rowCounts(db, scope);
    await queueReset(app.deps, workspaceId);

    let deaths = 0;
    for (;;) {
      // Each turn dies after one batch more than the one before.
      let batches = 0;
      const dying = runResetSlice(app.deps, workspaceId, () => {
        batches += 1;
        if (batches > deaths) throw new Error('killed');
      });
      const progress = await dying.catch(() => undefined);
      if (progress?.status === 'completed') {
        const { commission_count_deltas: _deltas, ...counted } = before;
        expect(progress.deleted).toMatchObject(counted);
        break;
      }
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(10);
    expect(await rowCounts(db, scope)).toEqual({});
    expect(await danglingRows(db)).toEqual({});
  });

  it('may run twice at once', async () => {
    const workspaceId = await buildTestData();
    const before = await rowCounts(db, { workspaceId, mode: 'test' });
    await queueReset(app.deps, workspaceId);
    await Promise.all([runReset(app.deps, workspaceId), runReset(app.deps, workspaceId)]);
    const [reset] = await query<{ status: string; deleted: Record<string, number> }>(
      db,
      'SELECT status, deleted FROM test_data_resets WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(reset?.status).toBe('completed');
    expect(reset?.deleted['conversions']).toBe(before['conversions']);
    expect(await rowCounts(db, { workspaceId, mode: 'test' })).toEqual({});
  });

  it('leaves programmes alone that were made after it began', async () => {
    const workspaceId = await buildTestData();
    await queueReset(app.deps, workspaceId);
    await runResetSlice(app.deps, workspaceId, () => {
      throw new Error('killed');
    }).catch(() => undefined);

    const program = await buildProgram(db, { workspaceId, mode: 'test' });
    const participant = await buildParticipant(db, { program });
    const conversion = await buildConversion(db, { participant });
    const click = await buildClick(db, { participant });
    // The clock moves on as if the reset closed its programmes only much later.
    app.deps.clock.advance(60_000);
    await runReset(app.deps, workspaceId);

    expect(await countFrom(db, 'programs WHERE id = $1', [program.id])).toBe(1);
    expect(await countFrom(db, 'clicks WHERE id = $1', [click.id])).toBe(1);
    expect(await danglingRows(db)).toEqual({});
    for (const rows of [
      'conversions WHERE id',
      'events WHERE object_id',
      'commissions WHERE conversion_id',
    ]) {
      expect([rows, await countFrom(db, `${rows} = $1`, [conversion.id])]).toEqual([rows, 1]);
    }
  });

  it('has the workflows of deleted pending commissions look once more', async () => {
    const program = await buildProgram(db, { mode: 'test' });
    const participant = await buildParticipant(db, { program });
    const pending = await buildCommission(db, { participant, program });
    await buildCommission(db, { participant, program, status: 'approved' });
    await execute(db, 'DELETE FROM outbox');
    await queueReset(app.deps, program.workspaceId);
    await runReset(app.deps, program.workspaceId);
    const woken = await query(db, `SELECT ref FROM outbox WHERE topic = 'commission'`);
    expect(woken).toEqual([{ ref: pending.id }]);
  });

  it('is found by the sweep when it gives no sign of life', async () => {
    const { workspaceId } = await buildProgram(db, { mode: 'test' });
    await queueReset(app.deps, workspaceId);
    await execute(db, `DELETE FROM outbox`);
    expect(await repairResets(db, app.deps.clock.now())).toBe(0);
    app.deps.clock.advance(31_000);
    expect(await repairResets(db, app.deps.clock.now())).toBe(1);
    expect(await repairResets(db, app.deps.clock.now())).toBe(0);
    const work = await query(db, `SELECT ref FROM outbox WHERE topic = 'test_reset'`);
    expect(work).toEqual([{ ref: workspaceId }]);

    // It waits for Temporal still: another would be the same again.
    app.deps.clock.advance(31_000);
    expect(await repairResets(db, app.deps.clock.now())).toBe(0);
    await execute(db, `UPDATE outbox SET ref = $1`, [newId()]);
    expect(await repairResets(db, app.deps.clock.now())).toBe(1);
  });
});

describe('waiting for writers', () => {
  it('waits for those that are writing now, and for none that come later', async () => {
    const order: string[] = [];
    const writer = await holdTransaction(app.deps.db);
    await query(writer.tx, 'DELETE FROM mails WHERE false');
    const waiting = waitForWriters(db, ['mails'], () => order.push('waits')).then(() =>
      order.push('done'),
    );
    while (order.length === 0) await query(db, 'SELECT 1');

    const later = await holdTransaction(app.deps.db);
    await query(later.tx, 'DELETE FROM mails WHERE false');
    await writer.commit();
    await waiting;
    expect(order.at(-1)).toBe('done');
    await later.rollback();
  });
});
