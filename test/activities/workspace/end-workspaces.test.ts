import { runResetSlice } from '../../../activities/test-data/run-reset';
import { clearingSteps, closingSteps, tablesOf } from '../../../activities/test-data/tables';
import { closedSteps } from '../../../activities/test-data/closed-workspace';
import { systemCause } from '../../../activities/journal/cause';
import { endWorkspaces } from '../../../activities/workspace/end-workspaces';
import { countFrom, execute, query, type Db } from '../../../entities/database/sql';
import { tableAccess } from '../../../entities/database/table-access';
import { useApp } from '../../support/app';
import { buildApiKey } from '../../support/build/accounts';
import { asOwner } from '../../support/database';
import { danglingRows, fingerprintOf, rowCounts, runReset } from '../../support/stored/test-data';
import { buildWorld } from '../../support/world';
import { keptOfClosed } from './kept-of-closed';

const app = useApp();
let db: Db;
beforeAll(async () => {
  db = app.deps.db.manager;
}, 60_000);
afterEach(() => app.deps.clock.set(undefined));

/** A workspace with everything in both modes, whose time comes now. */
async function buildClosing() {
  const live = await buildWorld(app, { mode: 'live' });
  const { workspaceId } = live;
  await buildWorld(app, { mode: 'test', workspaceId });
  await execute(db, 'UPDATE workspaces SET closes_at = $2 WHERE id = $1', [
    workspaceId,
    new Date(app.deps.clock.now().getTime() - 1_000),
  ]);
  return { ...live, workspaceId };
}

const endPayouts = (workspaceId: string) =>
  execute(db, `UPDATE payouts SET status = 'completed' WHERE workspace_id = $1`, [workspaceId]);

/** Moves the request back as if it had been made that long ago: only the owner of the schema may say so. */
const askedBefore = (workspaceId: string, days: number) =>
  asOwner(
    app.deps.config.databaseUrl,
    `UPDATE workspaces SET closing_since = now() - $2 * interval '1 day' WHERE id = $1`,
    [workspaceId, days],
  );

const liveKeys = 'api_keys WHERE workspace_id = $1 AND revoked_at IS NULL';
const end = () => endWorkspaces(app.deps, systemCause(app.deps.clock.now()));
const closedAt = async (workspaceId: string) => {
  const [row] = await query<{ at: Date | null }>(
    db,
    'SELECT closed_at AS at FROM workspaces WHERE id = $1',
    [workspaceId],
  );
  return row?.at ?? null;
};

const emptied = tablesOf([...closingSteps, ...clearingSteps, ...closedSteps]);

describe('the tables of a closed workspace', () => {
  it('are each emptied of its rows, or kept for a reason', () => {
    const named = [...emptied, ...Object.keys(keptOfClosed)];
    // Missing: a line in activities/test-data/tables.ts, or in kept-of-closed.ts.
    expect(Object.keys(tableAccess).filter((table) => !named.includes(table))).toEqual([]);
  });
});

describe('a workspace whose time has come', () => {
  it('stays while a live payout is processing, and when it was reopened', async () => {
    const { workspaceId } = await buildClosing();
    await end();
    expect(await closedAt(workspaceId)).toBeNull();
    await endPayouts(workspaceId);
    await execute(db, 'UPDATE workspaces SET closes_at = NULL WHERE id = $1', [workspaceId]);
    await end();
    expect(await closedAt(workspaceId)).toBeNull();
  });

  it('ends every access at once', async () => {
    const { workspaceId, members, keys } = await buildClosing();
    await endPayouts(workspaceId);
    await end();
    expect(await closedAt(workspaceId)).not.toBeNull();
    for (const token of [members.owner, members.viewer]) {
      expect((await app.client.as(token).get('/api/v1/workspace')).status).toBe(401);
    }
    expect(await countFrom(db, liveKeys, [workspaceId])).toBe(0);
    expect(keys.secret).toMatch(/^sk_/);
    const secrets = 'stripe_connections WHERE workspace_id = $1 AND webhook_secret IS NOT NULL';
    expect(await countFrom(db, secrets, [workspaceId])).toBe(0);
  });

  it('loses all its rows wherever that dies, and nobody else loses one', async () => {
    const { workspaceId, secretsIn } = await buildClosing();
    await endPayouts(workspaceId);
    const other = await buildWorld(app, { mode: 'live' });
    const before = await other.fingerprint();
    const [sum] = await ledgerOf(workspaceId);

    await end();
    // A request that was let in a moment before has made a key.
    await buildApiKey(db, { workspaceId, mode: 'live', kind: 'secret' });
    app.deps.clock.advance(120_000);
    await end();
    expect(await countFrom(db, liveKeys, [workspaceId])).toBe(0);
    const queued = `outbox WHERE topic = 'test_reset' AND ref = $1`;
    expect(await countFrom(db, queued, [workspaceId])).toBe(1);
    await askedBefore(workspaceId, 30);
    let deaths = 0;
    for (;;) {
      let batches = 0;
      const dying = runResetSlice(app.deps, workspaceId, () => {
        batches += 1;
        if (batches > deaths) throw new Error('killed');
      });
      const progress = await dying.catch(() => undefined);
      if (progress?.status === 'completed') break;
      deaths += 1;
    }

    for (const mode of ['live', 'test']) {
      expect(await rowCounts(db, { workspaceId, mode })).toEqual({});
    }
    expect(await danglingRows(db)).toEqual({});
    // Who asked for it, and when.
    expect(await leftOf(workspaceId)).toEqual({ audit_log: 1 });
    expect(await other.fingerprint()).toEqual(before);
    const sums = await query<{ amount: number }>(
      db,
      `SELECT sum(amount_cents)::int AS amount FROM closed_ledger_sums WHERE workspace_id = $1`,
      [workspaceId],
    );
    expect(sums[0]?.amount).toBe(sum?.amount);
    expect(await namesLeft(secretsIn)).toEqual([]);
    // Nothing is begun a second time.
    expect(await end()).toBe(0);
  });

  it('keeps its money until the database itself has known for 29 days', async () => {
    const { workspaceId } = await buildClosing();
    await endPayouts(workspaceId);
    await end();
    app.deps.clock.advance(120_000);
    await end();
    const money = await fingerprintOf(db, { workspaceId, mode: 'live' });
    await askedBefore(workspaceId, 28);
    await expect(runReset(app.deps, workspaceId)).rejects.toMatchObject({ code: '42501' });
    expect(await fingerprintOf(db, { workspaceId, mode: 'live' })).toBe(money);
    const late = 'UPDATE workspaces SET closing_since = now() WHERE id = $1';
    await expect(execute(db, late, [workspaceId])).rejects.toMatchObject({ code: '42501' });
  });
});

function ledgerOf(workspaceId: string) {
  return query<{ amount: number }>(
    db,
    'SELECT sum(amount_cents)::int AS amount FROM ledger_entries WHERE workspace_id = $1',
    [workspaceId],
  );
}

/** Rows with the workspace's id, by table, but those that are kept. */
async function leftOf(workspaceId: string): Promise<Record<string, number>> {
  const tables = await query<{ name: string }>(
    db,
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition AND a.attname = 'workspace_id'`,
  );
  const left: Record<string, number> = {};
  for (const { name } of tables) {
    if (name in keptOfClosed) continue;
    const rows = await countFrom(db, `${name} WHERE workspace_id = $1`, [workspaceId]);
    if (rows > 0) left[name] = rows;
  }
  return left;
}

/** Tables in which a name or an address of the workspace's people still stands. */
async function namesLeft(secretsIn: (text: string) => string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(tableAccess)) {
    // Partners live on; ids may stay.
    if (table === 'partner_accounts') continue;
    const rows = await query<{ line: string }>(db, `SELECT t::text AS line FROM ${table} AS t`);
    const hit = rows.find(({ line }) => secretsIn(line).some((text) => /Marker|@/.test(text)));
    if (hit) found.push(`${table}: ${hit.line}`);
  }
  return found;
}
