import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSession } from '../../../activities/credentials/sessions';
import { readLedger, replayErasures } from '../../../activities/erasure/replay';
import { createStripeActivities } from '../../../activities/billing/activities';
import { execute, query, queryOne, transaction, type Db } from '../../../entities/database/sql';
import { insertAll } from '../../../entities/database/insert-all';
import { newId } from '../../../entities/ids';
import { PartnerInvite } from '../../../entities/tables/partners/partner-invite.entity';
import type { Program } from '../../../entities/tables/programs/program.entity';
import { systemActor } from '../../../entities/rules/values/actor';
import { openTemporal, type TemporalLink } from '../../../runtime/temporal/link';
import { loadConfig } from '../../../runtime/config/config';
import { prepareNamespace } from '../../../workers/temporal/namespace';
import { testEnvironment } from '../../support/app';
import { buildPartner } from '../../support/build/accounts';
import { copyDatabase, createTestDatabase } from '../../support/database';
import { until } from '../../support/eventually';
import { operatedDatabases, runBuiltCommand } from '../../support/stack/commands';
import { buildService } from '../../support/stack/service-process';
import { checkoutCompleted } from '../../support/stripe/events';
import { buildStripeShop, conversionsOf, type ShopDeps } from '../../support/stripe/shop';
import { startStripeStandIn, type StripeStandIn } from '../../support/stripe/stand-in';

// Each test starts a process or two, beside whatever else runs by night.
jest.setTimeout(300_000);

const namespace = `restored-${process.pid}-${Date.now()}`;
const files = mkdtempSync(path.join(tmpdir(), 'restored-'));
let stripe: StripeStandIn;
let temporal: TemporalLink;

beforeAll(async () => {
  buildService();
  stripe = await startStripeStandIn();
  const { temporal: server } = loadConfig(testEnvironment('postgres://unused'));
  await prepareNamespace({ address: server.address, namespace });
  temporal = openTemporal({ ...server, namespace });
}, 120_000);
afterAll(async () => {
  await stripe.close();
  await temporal.close();
  await close();
  rmSync(files, { recursive: true });
});

const { environmentOf, open, close } = operatedDatabases(() => ({
  STRIPE_API_BASE: stripe.url,
  TEMPORAL_NAMESPACE: namespace,
}));

const restored = (environment: Record<string, string>, ...args: string[]) =>
  runBuiltCommand('restored', environment, ...args);

function fileOf(name: string, rows: readonly object[]): string {
  const file = path.join(files, name);
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  return file;
}

const signIn = ({ db, vault }: ShopDeps, accountId: string) =>
  transaction(db, (tx) =>
    openSession(
      { db: tx, vault },
      { now: new Date() },
      { side: 'partner', accountId, origin: { ip: '192.0.2.1', userAgent: 'test' } },
    ),
  );

const openSessions = (db: Db) =>
  query<{ id: string }>(db, 'SELECT id FROM sessions WHERE revoked_at IS NULL', []).then((rows) =>
    rows.map(({ id }) => id),
  );

/** What a further run must leave as it is. */
const stateOf = (db: Db) =>
  queryOne<Record<string, number>>(
    db,
    `SELECT (SELECT last_value FROM events_seq) AS seq,
            (SELECT max(version) FROM notification_feeds) AS feed,
            (SELECT count(*) FROM stripe_events) AS events,
            (SELECT count(DISTINCT ref) FROM outbox WHERE topic = 'stripe_event') AS work,
            (SELECT count(*) FROM restores) AS restores,
            (SELECT count(*) FROM audit_log WHERE action LIKE 'restore.%') AS audited,
            (SELECT count(*) FROM erasures WHERE status = 'completed') AS erased,
            (SELECT count(*) FROM partner_invites WHERE status = 'erased') AS invites`,
    [],
  );

async function buildInvite(db: Db, program: Program): Promise<string> {
  const { workspaceId, mode, id: programId } = program;
  const id = newId();
  const named = { id, workspaceId, mode, programId, email: 'ina@example.test', name: 'Ina' };
  const open = { generation: 1, status: 'pending', acceptedBy: null, acceptedAt: null } as const;
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 86_400_000)];
  await insertAll(db, {
    into: PartnerInvite,
    rows: [{ ...named, ...open, createdAt, expiresAt }],
  });
  return id;
}

async function startWithoutWorker(workflowId: string): Promise<void> {
  const input = { taskQueue: 'nobody', workflowId, args: [] };
  await temporal.client.workflow.start('commissionLifecycle', input);
}

describe('aps restored', () => {
  it('brings a database of an earlier moment up to what happened since, twice to the same end', async () => {
    const live = await createTestDatabase();
    const before = await open(live);
    const shop = await buildStripeShop(before, { restrictedKey: 'rk_test_key' });
    const [known, sold] = [await shop.click(), await shop.click()];
    await shop.send(checkoutCompleted({ click: known }));
    const partner = await buildPartner(before.db.manager, { name: 'Rita Restored' });
    const inviteId = await buildInvite(before.db.manager, shop.program);
    const staying = await buildPartner(before.db.manager);
    await signIn(before, staying.id);
    await execute(
      before.db.manager,
      'INSERT INTO notification_feeds (feed_id, version) VALUES ($1, 7)',
      [staying.id],
    );
    const since = new Date();
    const backup = await copyDatabase(live);

    // What the backup does not know.
    const cause = { actor: systemActor, now: new Date() };
    await replayErasures(before, cause, [
      { kind: 'account', subjectId: partner.id },
      { kind: 'invite', subjectId: inviteId },
    ]);
    const erasures = fileOf('erasures.jsonl', await readLedger(before.db.manager));
    const told = Array.from({ length: 299 }, () => checkoutCompleted());
    stripe.eventsOfPage = 100;
    const sale = checkoutCompleted({ click: sold });
    stripe.events.push(...told, sale);
    const key = newId();
    const line = { target_type: 'api_key', target_id: key, actor_id: null };
    const audit = fileOf('audit.jsonl', [
      { ...line, id: newId(), action: 'api_key.revoked', created_at: new Date().toISOString() },
      { ...line, id: newId(), action: 'api_key.created', created_at: '2020-01-01T00:00:00Z' },
    ]);

    const deps = await open(backup);
    const db = deps.db.manager;
    const commission = await queryOne<{ id: string }>(db, 'SELECT id FROM commissions', []);
    const orphan = `commission/${newId()}`;
    await startWithoutWorker(orphan);
    await startWithoutWorker(`commission/${commission?.id}`);
    await until(async () => (await temporal.client.workflow.count()).count === 2);
    const first = await queryOne<{ seq: number }>(db, 'SELECT last_value AS seq FROM events_seq');

    const run = () =>
      restored(
        environmentOf(backup),
        ...['--since', since.toISOString(), '--erasures', erasures, '--audit', audit],
      );
    const { code, out } = await run();
    expect(out.split('\n')).toEqual([
      'payouts   are refused until aps restored --release-payouts, unless that ran',
      'numbers   moved on by 1,000,000',
      'sessions  1 ended',
      'erasures  2 of 2 were there and are erased now',
      `stripe    ${shop.connectionId}  300 listed, 300 taken in`,
      expect.stringMatching(/^sums {6}\d+ rebuilt$/),
      'changes   1 to do again by hand',
      expect.stringContaining(`api_key.revoked  api_key  ${key}`),
      'batches   0 items of payouts wait for a look: they may have been paid',
      'orphans   1 open workflows have no row',
      `orphans   ${orphan}`,
      '',
    ]);
    expect(code).toBe(0);
    const state = await stateOf(db);
    expect(state).toMatchObject({ feed: 1_000_007, events: 301, work: 301, erased: 1, invites: 1 });
    expect(Number(state?.['seq'])).toBeGreaterThan(1_000_000 + (first?.seq ?? 0) - 1);
    expect(await openSessions(db)).toEqual([]);

    const { sessionId } = await signIn(deps, staying.id);
    expect(await run()).toMatchObject({
      code: 0,
      out: expect.stringContaining('300 listed, 0 taken in'),
    });
    expect(await stateOf(db)).toEqual(state);
    expect(await openSessions(db)).toEqual([sessionId]);

    await processOne(deps, String(sale['id']));
    expect(await conversionsOf(db, shop.scope)).toHaveLength(2);

    const release = () => restored(environmentOf(backup), '--release-payouts');
    expect((await release()).out).toBe('payouts   go on\n');
    await run();
    expect((await release()).out).toBe('payouts   were not refused\n');
  });

  // Further starts of the command: `npm run test:nightly` has time for them.
  it('does all else while Stripe and Temporal are away, and ends with 1', async () => {
    const database = await createTestDatabase();
    const deps = await open(database);
    await buildStripeShop(deps, { restrictedKey: 'rk_test_key' });
    stripe.forbidden.add('/v1/events');
    const away = { ...environmentOf(database), TEMPORAL_ADDRESS: '127.0.0.1:1' };
    const { code, out } = await restored(away, '--since', new Date().toISOString());
    expect(code).toBe(1);
    expect(out).toContain('then stopped: its key may not read events');
    expect(out).toContain('erasures  no file given (--erasures)');
    expect(out).toContain('changes   no file given (--audit)');
    expect(out).toContain('orphans   Temporal did not answer');
  });

  it('changes nothing for a time or a file that it cannot read', async () => {
    const database = await createTestDatabase();
    const deps = await open(database);
    const since = new Date().toISOString();
    const noAudit = fileOf('none.jsonl', [{ action: 'api_key.revoked' }]);
    for (const args of [
      ['--since', 'yesterday'],
      ['--since', '2999-01-01T00:00:00Z'],
      ['--since', since, '--audit', noAudit],
      ['--since', since, '--erasures', noAudit],
    ]) {
      expect(await restored(environmentOf(database), ...args)).toMatchObject({ code: 1 });
    }
    expect(await stateOf(deps.db.manager)).toMatchObject({ restores: 0 });
  });
});

/** What the relay and the workflow do with an event of Stripe's. */
async function processOne(deps: ShopDeps, stripeEventId: string): Promise<void> {
  const activities = createStripeActivities(deps, { readGapMs: 0 });
  const [row] = await query<{ id: string }>(
    deps.db.manager,
    `SELECT e.id FROM stripe_events AS e JOIN outbox AS o ON o.topic = 'stripe_event' AND o.ref = e.id
      WHERE e.stripe_event_id = $1`,
    [stripeEventId],
  );
  await activities.attemptStripeEvent({ eventId: row?.id ?? '' });
}
