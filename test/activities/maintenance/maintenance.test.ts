import { systemCause } from '../../../activities/journal/cause';
import { foldCommissionCounts } from '../../../activities/commissions/day-counts';
import { createMaintenanceActivities } from '../../../activities/maintenance/activities';
import { createWebhookActivities } from '../../../activities/webhooks/activities';
import { rememberRequeue } from '../../../activities/webhooks/requeues';
import { newId } from '../../../entities/ids';
import { execute, query, queryOne, transaction } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { asOwner } from '../../support/database';
import { buildCommission } from '../../support/build/commissions';
import { holdTransaction } from '../../support/postgres/held-transaction';

const deps = useDeps();

const day = 24 * 3_600_000;
const work = (): Promise<{ ref: string }[]> =>
  query(deps.db.manager, `SELECT ref FROM outbox WHERE topic = 'commission'`);

describe('the repair of lifecycles', () => {
  it('wakes pending ones without a workflow, once, after giving the relay a minute', async () => {
    const { repairBatch } = createMaintenanceActivities(deps);
    const repair = () => repairBatch({ part: 'lifecycles', cursor: null });
    const commission = await buildCommission(deps.db.manager);
    const decided = await buildCommission(deps.db.manager, { status: 'approved' });
    await execute(deps.db.manager, 'DELETE FROM outbox');

    await repair();
    expect(await work()).toEqual([]);

    deps.clock.advance(2 * 60_000);
    expect(await repair()).toMatchObject({ cursor: null, repaired: 1 });
    await repair();
    expect(await work()).toEqual([{ ref: commission.id }]);
    expect(decided.status).toBe('approved');
  });
});

describe('retention', () => {
  it('deletes answers of Idempotency-Key after a day, in batches, until nothing is left', async () => {
    const { purgeTable } = createMaintenanceActivities(deps);
    const purge = () => purgeTable({ table: 'idempotency_keys' });
    await execute(
      deps.db.manager,
      `INSERT INTO idempotency_keys (principal_id, mode, path, key, body_hash, claim_token,
         claimed_at, created_at)
       SELECT gen_random_uuid(), 'test', '/x', 'k', 'h', gen_random_uuid(), at, at
       FROM unnest($1::timestamptz[]) AS at`,
      [[deps.clock.now(), new Date(deps.clock.now().getTime() - 2 * day)]],
    );
    expect(await purge()).toBe(1);
    expect(await purge()).toBe(0);
  });
});

describe('the repair of overdue holds', () => {
  const overdue = (cursor: string | null = null) =>
    createMaintenanceActivities(deps).repairBatch({ part: 'overdue', cursor });
  const statusOf = async (id: string): Promise<string | undefined> =>
    (
      await queryOne<{ status: string }>(
        deps.db.manager,
        'SELECT status FROM commissions WHERE id = $1',
        [id],
      )
    )?.status;

  it('approves without any lifecycle, and wakes it; one that fails is in the way of no other', async () => {
    await asOwner(deps.config.databaseUrl, 'DELETE FROM commissions');
    const createdAt = new Date(deps.clock.now().getTime() - 40 * day);
    const first = await buildCommission(deps.db.manager, { createdAt });
    const second = await buildCommission(deps.db.manager, { createdAt });
    await execute(deps.db.manager, 'DELETE FROM outbox');
    const held = await holdTransaction(deps.db);
    await query(held.tx, 'SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [first.id]);

    expect(await overdue()).toEqual({ cursor: null, repaired: 1, more: false });
    await held.rollback();
    expect(await statusOf(first.id)).toBe('pending');
    expect(await statusOf(second.id)).toBe('approved');
    expect(await work()).toEqual([{ ref: second.id }]);
    expect(await overdue()).toMatchObject({ repaired: 1 });
    expect(await overdue()).toMatchObject({ repaired: 0 });
  });

  it('passes over what another transaction holds, and logs only what fails', async () => {
    await asOwner(deps.config.databaseUrl, 'DELETE FROM commissions');
    const createdAt = new Date(deps.clock.now().getTime() - 40 * day);
    const build = () => buildCommission(deps.db.manager, { createdAt });
    const [taken, free, poison] = [await build(), await build(), await build()];
    await asOwner(
      deps.config.databaseUrl,
      `ALTER TABLE commissions ADD CONSTRAINT poison CHECK (id <> '${poison.id}' OR status = 'pending')`,
    );
    const errors = jest.spyOn(deps.log, 'error').mockImplementation(() => undefined);
    const held = await holdTransaction(deps.db);
    await query(held.tx, 'SELECT 1 FROM commissions WHERE id = $1 FOR UPDATE', [taken.id]);
    expect(await overdue()).toMatchObject({ repaired: 1 });
    await held.rollback();
    expect(await statusOf(free.id)).toBe('approved');
    expect(errors.mock.calls).toEqual([
      [expect.objectContaining({ commissionId: poison.id, failed: 1 }), expect.any(String)],
    ]);
    await asOwner(deps.config.databaseUrl, 'ALTER TABLE commissions DROP CONSTRAINT poison');

    errors.mockClear();
    const locked = await holdTransaction(deps.db);
    await query(locked.tx, 'LOCK TABLE outbox IN SHARE MODE');
    expect(await overdue()).toMatchObject({ repaired: 0 });
    await locked.rollback();
    expect(errors).not.toHaveBeenCalled();
    errors.mockRestore();

    expect(await overdue()).toMatchObject({ repaired: 2 });
    for (const { id } of [taken, poison]) expect(await statusOf(id)).toBe('approved');
  });
});

describe('the repair of requeues', () => {
  it('hands a range whose workflow is lost to one again, until nothing of it is left', async () => {
    const endpointId = newId();
    const scope = { workspaceId: newId(), mode: 'test' } as const;
    const until = deps.clock.now();
    const context = { scope, ...systemCause(until) };
    await transaction(deps.db, (tx) =>
      rememberRequeue(tx, context, { endpointId, since: null, until }),
    );
    const { repairBatch } = createMaintenanceActivities(deps);
    const requeues = () =>
      query(deps.db.manager, `SELECT payload FROM outbox WHERE topic = 'webhook_requeue'`);
    const [first] = await requeues();
    await execute(deps.db.manager, 'DELETE FROM outbox');
    expect(await repairBatch({ part: 'requeues', cursor: null })).toMatchObject({ repaired: 0 });
    deps.clock.advance(11 * 60_000);
    expect(await repairBatch({ part: 'requeues', cursor: null })).toMatchObject({ repaired: 1 });
    expect(await requeues()).toEqual([first]);

    const { requeueDeadLetterBatch } = createWebhookActivities(deps);
    const range = { endpointId, since: null, until: until.toISOString() };
    expect(await requeueDeadLetterBatch(range)).toBe(0);
    expect(await query(deps.db.manager, 'SELECT 1 FROM webhook_requeues')).toEqual([]);
  });
});

describe('the counters by day', () => {
  it('are deleted by their keys once they are empty', async () => {
    const commission = await buildCommission(deps.db.manager);
    await foldCommissionCounts(deps.db.manager);
    await asOwner(deps.config.databaseUrl, 'DELETE FROM commissions WHERE id = $1', [
      commission.id,
    ]);
    await foldCommissionCounts(deps.db.manager);
    const left = await query(
      deps.db.manager,
      'SELECT 1 FROM commission_day_counts WHERE program_id = $1',
      [commission.programId],
    );
    expect(left).toEqual([]);
  });
});
