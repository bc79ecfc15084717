import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { query, queryOne } from '../../entities/database/sql';
import { buildParticipant } from '../support/build/programs';
import { buildEndpoint } from '../support/build/webhooks';
import { eventually, until } from '../support/eventually';
import {
  buildDrillShop,
  effectsOf,
  ledgerMismatches,
  mailTheMember,
  withoutLifecycle,
  newOrders,
  signIn,
  sizeOf,
  type DrillShop,
} from '../support/operate/drill-shop';
import { startDrillStack, type DrillStack } from '../support/operate/drill-stack';
import { expectNoneFailing, openRuns } from '../support/operate/open-runs';
import {
  archiveAll,
  isPrimary,
  startRestored,
  startStandby,
  takeBaseBackup,
} from '../support/operate/postgres-servers';
import { stopwatch } from '../support/operate/stopwatch';
import { checkoutCompleted } from '../support/stripe/events';
import type { StripeTestEvent } from '../support/stripe/fixtures';

jest.setTimeout(600_000);

/** A server of Temporal's that is busy loses an answer now and then: the attempt times out after 2 minutes. */
const patienceMs = 150_000;

let stack: DrillStack;
let shop: DrillShop;

beforeAll(async () => {
  stack = await startDrillStack('in memory');
  shop = await buildDrillShop(stack);
  await stack.startProcesses();
});
afterAll(() => stack.close());

const db = () => stack.deps.db.manager;

const lastSequence = async (): Promise<number> => {
  const [row] = await query<{ seq: string }>(db(), 'SELECT max(seq) AS seq FROM events');
  return Number(row?.seq);
};

async function statusOf(commissionId: string | undefined): Promise<string | undefined> {
  const sql = 'SELECT status FROM commissions WHERE id = $1';
  return (await queryOne<{ status: string }>(db(), sql, [commissionId]))?.status;
}

async function approve(commissionId: string | undefined): Promise<void> {
  const at = `/programs/${shop.program.id}/commissions/${commissionId}/approve-override`;
  expect(await shop.ask('PATCH', at, { reason: 'A drill' })).toMatchObject({ status: 200 });
}

/** Sales of Stripe's, each after a click that the shop knows. */
async function stripeSales(count: number): Promise<StripeTestEvent[]> {
  const events: StripeTestEvent[] = [];
  for (let n = 0; n < count; n += 1) events.push(checkoutCompleted({ click: await shop.click() }));
  return events;
}

const orderOf = (event: StripeTestEvent): string =>
  String((event['data'] as { object: { payment_intent: string } }).object.payment_intent);

async function untilProcessed(events: readonly StripeTestEvent[]): Promise<void> {
  const ids = events.map(({ id }) => id);
  await until(async () => {
    const done = await query(
      db(),
      `SELECT 1 FROM stripe_events WHERE stripe_event_id = ANY($1) AND status = 'processed'`,
      [ids],
    );
    return done.length === ids.length;
  }, patienceMs);
}

/** The lines that an operator ships out of the database, as docs/restore.md has them. */
async function shipAuditLines(): Promise<string> {
  const file = path.join(stack.dir, 'audit.jsonl');
  const rows = await query<{ line: unknown }>(
    db(),
    `SELECT row_to_json(a) AS line FROM audit_log AS a
      WHERE created_at > now() - interval '20 minutes'`,
  );
  writeFileSync(file, rows.map(({ line }) => `${JSON.stringify(line)}\n`).join(''));
  return file;
}

async function shipErasures(): Promise<string> {
  const file = path.join(stack.dir, 'erasures.jsonl');
  writeFileSync(file, await stack.operate('erasures', 'export'));
  return file;
}

const payout = () => shop.ask('POST', '/payouts', { programId: shop.program.id });

describe('Postgres returned to an earlier moment under a living Temporal', () => {
  it('is what was true then and what Stripe knows since, and nothing twice', async () => {
    const before = newOrders(20);
    const sold = await Promise.all(before.map(shop.sell));
    const erased = await buildParticipant(db(), { program: shop.program, partnerName: 'Ida Gone' });
    const later = await stripeSales(20);
    await takeBaseBackup(stack.server, stack.backups.base);
    await until(async () => (await withoutLifecycle(stack)).length === 0, patienceMs);
    const token = await signIn(stack.apiUrl, shop.member);
    const [moment] = await stack.server.ask<{ now: Date }>('SELECT clock_timestamp() AS now');
    const since = moment?.now ?? new Date();

    // What the moment does not know: decisions, a payout, sales, an erasure, a mail and retries that wait.
    const lost = newOrders(10);
    await Promise.all(lost.map(shop.sell));
    for (const id of sold.slice(0, 3)) await approve(id);
    expect(await payout()).toMatchObject({ status: 201 });
    for (const event of later) await shop.tell(event);
    stack.stripe.events.push(...later);
    await untilProcessed(later);
    stack.mailServer.cut();
    await mailTheMember(stack, shop);
    const at = `/programs/${shop.program.id}/partners/${erased.id}/erase`;
    expect(await shop.ask('POST', at, { confirmation: 'DELETE' })).toMatchObject({ status: 200 });
    stack.sink.answer((_request, response) => response.writeHead(500).end());
    await buildEndpoint(stack.deps, shop.scope, { url: stack.sink.url });
    await shop.sell(newOrders(1)[0] ?? '');
    await until(async () => {
      const types = new Set((await openRuns(stack)).map(({ type }) => type));
      return ['deliverMail', 'webhookRetries', 'eraseSubject'].every((type) => types.has(type));
    }, patienceMs);
    const seen = await lastSequence();
    const [audit, erasures] = [await shipAuditLines(), await shipErasures()];
    await archiveAll(stack.server, stack.backups);
    const size = await sizeOf(stack);

    const watch = stopwatch(`Postgres to an earlier moment (${size})`);
    await stack.stopProcesses();
    stack.database.cut();
    await stack.server.stop();
    watch.lap('stopped');
    stack.lead(await startRestored(path.join(stack.dir, 'restored'), stack.backups, since));
    watch.lap('restored to the moment');
    const files = ['--erasures', erasures, '--audit', audit];
    const told = await stack.operate('restored', '--since', since.toISOString(), ...files);
    watch.lap('aps restored');
    stack.mailServer.restore();
    stack.sink.answer((_request, response) => response.end('ok'));
    await stack.startProcesses();
    watch.lap('API and worker answer');
    await untilProcessed(later);
    watch.lap('what Stripe knows is processed');

    expect(told).toContain('numbers   moved on by 1,000,000');
    expect(told).toContain('erasures  1 of 1 were there and are erased now');
    expect(told).toContain('20 listed, 20 taken in');
    expect(told).toContain('payout.created');
    const withToken = { headers: { Authorization: `Bearer ${token}`, 'X-Mode': 'test' } };
    expect((await fetch(`${stack.apiUrl}/api/v1/programs`, withToken)).status).toBe(401);
    const name = 'SELECT partner_name AS name FROM participants WHERE id = $1';
    const row = await queryOne<{ name: string | null }>(db(), name, [erased.id]);
    expect(row?.name).not.toBe('Ida Gone');

    expect(await effectsOf(stack, lost)).toEqual([{ effects: [0, 0, 0], orders: 10 }]);
    await Promise.all(lost.map(shop.sell));
    const all = [...before, ...lost, ...later.map(orderOf)];
    expect(await effectsOf(stack, all)).toEqual([{ effects: [1, 1, 1], orders: 50 }]);
    const events = 'SELECT min(seq) AS seq FROM events WHERE occurred_at > $1';
    const first = await queryOne<{ seq: string }>(db(), events, [since]);
    expect(Number(first?.seq)).toBeGreaterThan(seen);

    // Decisions since are undone, as is the payout: nothing is paid before a person has looked.
    expect(await statusOf(sold[0])).toBe('pending');
    for (const id of sold.slice(0, 3)) await approve(id);
    expect(await payout()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await stack.operate('restored', '--release-payouts')).toContain('payouts   go on');
    expect(await payout()).toMatchObject({ status: 201 });

    // Runs whose rows are gone end, or wait for their hold, and none fails.
    const waiting = new Set(['commissionLifecycle', 'repair']);
    await eventually(async () => {
      const others = (await openRuns(stack)).filter(({ type }) => !waiting.has(type));
      return others.length === 0 ? true : undefined;
    }, patienceMs);
    await expectNoneFailing(stack, patienceMs);
    expect(await ledgerMismatches(stack)).toBe(0);
    watch.lap('every run has ended or waits');
  });
});

describe('a standby that is promoted while sales come in', () => {
  it('has every sale that was acknowledged, once', async () => {
    await takeBaseBackup(stack.server, `${stack.backups.base}-of-the-second`);
    const backups = { ...stack.backups, base: `${stack.backups.base}-of-the-second` };
    const primary = stack.server;
    const standby = await startStandby(path.join(stack.dir, 'standby'), primary, backups);
    await primary.ask(`ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby_a)'`);
    await primary.ask('SELECT pg_reload_conf()');
    await until(async () => {
      const states = await primary.ask<{ state: string }>(
        'SELECT sync_state AS state FROM pg_stat_replication',
      );
      return states.some(({ state }) => state === 'quorum');
    });

    const acknowledged: { order: string; at: number }[] = [];
    let isOver = false;
    const lane = async (): Promise<void> => {
      while (!isOver) {
        const [order = ''] = newOrders(1);
        await shop.sell(order);
        acknowledged.push({ order, at: Date.now() });
      }
    };
    const lanes = Promise.all(Array.from({ length: 4 }, lane));
    await until(() => acknowledged.length > 100, patienceMs);

    const watch = stopwatch(`fail-over (${await sizeOf(stack)})`);
    const gone = Date.now();
    await primary.cut();
    stack.database.cut();
    const known = acknowledged.map(({ order }) => order);
    await standby.ask('SELECT pg_promote()');
    await until(() => isPrimary(standby));
    watch.lap('promoted');
    stack.lead(standby);
    const there = await effectsOf(stack, known);
    await until(() => acknowledged.some(({ at }) => at > gone + 100), patienceMs);
    watch.lap('sales are taken again');
    const before = acknowledged.length;
    await until(() => acknowledged.length > before + 100, patienceMs);
    isOver = true;
    await lanes;

    expect(there).toEqual([{ effects: [1, 1, 1], orders: known.length }]);
    const orders = acknowledged.map(({ order }) => order);
    expect(await effectsOf(stack, orders)).toEqual([{ effects: [1, 1, 1], orders: orders.length }]);
    await until(async () => (await withoutLifecycle(stack)).length === 0, patienceMs);
    await expectNoneFailing(stack, patienceMs);
    expect(await ledgerMismatches(stack)).toBe(0);
    watch.lap('every commission has its workflow');
  });
});
