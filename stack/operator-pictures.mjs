import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import pg from 'pg';
import { chromium } from 'playwright-core';
import { findChromium } from './bootstrap/chromium.mjs';
import { ROOT } from './bootstrap/run.mjs';

/**
 * The pictures of docs/operators.md: brings five situations about on the running stack, acts on each as an
 * operator does, and takes its page in Temporal Web. `npm run operator-pictures`, beside a
 * WEBHOOK_ALLOW_PRIVATE=true npm start; endpoints of webhooks, an event of Stripe's that cannot be read and
 * an erased participant stay behind in the demo's test data.
 */
const NAMESPACE = process.env.TEMPORAL_NAMESPACE ?? 'default';
const TARGET = path.join(ROOT, 'docs', 'operators');
const DEAD_LETTERS = 40_000;
const stackDir = path.resolve(ROOT, process.env.STACK_DIR ?? '.stack');
const info = JSON.parse(readFileSync(path.join(stackDir, 'info.json'), 'utf8'));
const note = (reasonCode) => ({ operator: 'op-17', reasonCode });

const connection = await Connection.connect({ address: info.temporalAddress });
const temporal = new Client({ connection, namespace: NAMESPACE });
const db = new pg.Client({ connectionString: info.databaseUrl });
await db.connect();
const executablePath = findChromium();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage({ viewport: { width: 1200, height: 940 } });
mkdirSync(TARGET, { recursive: true });

const { accessToken } = await call('POST', '/auth/merchant/login', info.demo.merchant, null);
const only = process.argv[2];
for (const [name, situation] of Object.entries({
  'commission-approved': approveCommission,
  'webhook-retried': retryWebhook,
  'replay-stopped': stopReplay,
  'event-replayed': replayEvent,
  'erasure-watched': watchErasure,
})) {
  if (only === undefined || only === name) await shoot(name, await situation());
}
await browser.close();
await db.end();
await connection.close();

async function approveCommission() {
  const { commission } = await report();
  const id = `commission/${commission.id}`;
  await update(id, 'approveOverride', note('MERCHANT_REQUEST'));
  return id;
}

async function retryWebhook() {
  const endpoint = await createEndpoint();
  await report();
  const id = `webhook-retries/${endpoint.id}`;
  await update(id, 'retryNow', note('RECEIVER_FIXED'));
  return id;
}

/** Makes as many dead letters as a receiver gathers that was away for a week, and replays all of them. */
async function stopReplay() {
  const endpoint = await createEndpoint();
  await db.query(
    `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type, status, attempts,
       attempts_before, created_at, last_attempt_at)
     SELECT gen_random_uuid(), e.workspace_id, e.mode, e.id, gen_random_uuid(), 'conversion.created', 'dead_letter',
            10, 0, now() - interval '5 days', now() - interval '1 day'
       FROM webhook_endpoints AS e, generate_series(1, $2) WHERE e.id = $1`,
    [endpoint.id, DEAD_LETTERS],
  );
  await call('POST', `/webhooks/${endpoint.id}/deliveries/retry-dead-letters`, {});
  const id = `webhook-requeue/${endpoint.id}`;
  await update(id, 'stop', note('RECEIVER_BROKEN'));
  return id;
}

/** An event whose body cannot be read, as after a restore without its key: it is tried again and again. */
async function replayEvent() {
  const { programId } = info.demo;
  await db.query(
    `INSERT INTO stripe_connections (id, workspace_id, mode, created_at, updated_at)
     SELECT gen_random_uuid(), workspace_id, mode, now(), now() FROM programs WHERE id = $1
     ON CONFLICT DO NOTHING`,
    [programId],
  );
  const { rows } = await db.query(
    `INSERT INTO stripe_events (id, connection_id, workspace_id, mode, stripe_event_id, type, body, status,
       received_at, touched_at)
     SELECT gen_random_uuid(), c.id, c.workspace_id, c.mode, $2, 'charge.refunded', '', 'received', now(), now()
       FROM stripe_connections AS c JOIN programs AS p USING (workspace_id, mode)
      WHERE p.id = $1 ORDER BY c.created_at DESC LIMIT 1
     RETURNING id`,
    [programId, `evt_${randomUUID()}`],
  );
  const [{ id: eventId }] = rows;
  const id = `stripe-event/${eventId}`;
  await db.query(
    `INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
     SELECT 'stripe_event', $1, json_build_object('type', type, 'mode', mode), workspace_id, now()
       FROM stripe_events WHERE id = $1`,
    [eventId],
  );
  await update(id, 'retryNow', note('SYSTEM_FAULT'));
  return id;
}

async function watchErasure() {
  const { programId } = info.demo;
  // One without a payout, which would stand in the way.
  const { rows } = await db.query(
    `INSERT INTO participants
     SELECT (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'partner_id', gen_random_uuid(),
               'partner_email', $2 || '@partner.example', 'referral_code', $2))).*
       FROM participants AS p WHERE program_id = $1 AND erased_at IS NULL LIMIT 1
     RETURNING id`,
    [programId, `picture-${randomUUID().slice(0, 8)}`],
  );
  const [{ id }] = rows;
  await call('POST', `/programs/${programId}/partners/${id}/erase`, { confirmation: 'DELETE' });
  return `erasure/participant/${id}`;
}

function report() {
  const sale = {
    external_transaction_id: `picture-${randomUUID()}`,
    event_type: 'purchase',
    promo_code: info.demo.promoCode,
    amount_cents: 4_900,
    currency: 'usd',
  };
  return call('POST', '/conversions', sale, info.demo.keys.test.secret);
}

/** Nobody listens there. */
function createEndpoint() {
  const body = { url: `http://127.0.0.1:1999/${randomUUID()}`, events: ['conversion.created'] };
  return call('POST', '/webhooks', body);
}

async function call(method, route, body, bearer = accessToken) {
  const answer = await fetch(`${info.apiUrl}/api/v1${route}`, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'X-Mode': 'test',
      ...(bearer && { Authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/** Sends the update, as the page does. The run may be a moment away. */
async function update(workflowId, name, arg) {
  for (let tries = 1; ; tries += 1) {
    try {
      await temporal.workflow.getHandle(workflowId).executeUpdate(name, { args: [arg] });
      return;
    } catch (error) {
      // An earlier try was answered late.
      if (/already completed/.test(error.message)) return;
      // It is not started yet, or the first task of a run is still under way.
      if (error.name === 'WorkflowUpdateFailedError' || tries === 100) throw error;
      await pause(200);
    }
  }
}

async function shoot(name, workflowId) {
  const { runId } = await temporal.workflow.getHandle(workflowId).describe();
  const run = `${info.temporalUiUrl}/namespaces/${NAMESPACE}/workflows/${encodeURIComponent(workflowId)}/${runId}`;
  await page.goto(`${run}/user-metadata`);
  await page.getByText(workflowId).first().waitFor();
  // Its details are asked of the worker, and drawn after the history.
  await page.waitForTimeout(4_000);
  // WebP, which the browser makes and the library does not: half the size of a PNG.
  const devtools = await page.context().newCDPSession(page);
  const shot = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  writeFileSync(path.join(TARGET, `${name}.webp`), Buffer.from(shot.data, 'base64'));
  console.log(`${name}: ${workflowId}`);
}
