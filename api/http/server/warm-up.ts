import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { forgetKey, rememberKey } from '../../../activities/credentials/api-key-cache';
import type { ClickRecorder } from '../../../activities/clicks/record';
import { newApiKey } from '../../../runtime/crypto/tokens';
import type { Deps } from '../../../runtime/process/deps';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import type { KeyKind, Scope } from '../../../entities/rules/values/mode';
import { listen } from './server';

const connections = 16;
/** Fewer than any limit allows, if it allows any. */
const requestsPerKey = 50;
const ref = 'warm-up';
/** A database or machine this slow: the process serves as cold as it is. */
const graceMs = 1_000;
/** Of the grace, so that a request on its way can end. */
const lastRequestMs = 300;

interface Warming {
  deps: Pick<Deps, 'db' | 'clock' | 'lifecycle' | 'config'>;
  listener: RequestListener;
  clicks: ClickRecorder;
}

/**
 * Sends this process its busiest requests until the time is over, before it listens: a fresh one
 * has no connections, no plans and no machine code, so that its first clicks would wait for a third
 * of a second. The requests name a workspace and a link that do not exist, so nothing is stored
 * but counts in Redis that expire by themselves. Rejects when it is not done soon after that time.
 */
export async function warmUp({ deps, listener, clicks }: Warming, forMs: number): Promise<void> {
  if (forMs === 0) return;
  const server = createServer(listener);
  await listen(server, 0, '127.0.0.1');
  const { port } = server.address() as AddressInfo;
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections });
  deps.lifecycle.warming = true;
  const overdue = new AbortController();
  try {
    await Promise.race([
      warm({ deps, clicks, pool, forMs }),
      rejectAfter(forMs + graceMs, overdue.signal),
    ]);
  } finally {
    overdue.abort();
    deps.lifecycle.warming = false;
    await pool.destroy();
    await closed(server);
  }
}

async function warm({ forMs, ...sending }: Sending & { forMs: number }): Promise<void> {
  const latest = performance.now() + forMs + graceMs - lastRequestMs;
  await openConnections(sending.deps);
  await buildDocuments(sending.pool);
  const until = Math.min(performance.now() + forMs, latest);
  const run = async (): Promise<void> => {
    while (performance.now() < until) await sendSome(sending, until);
  };
  await Promise.all(Array.from({ length: connections }, run));
}

async function rejectAfter(ms: number, signal: AbortSignal): Promise<never> {
  await pause(ms, undefined, { signal });
  throw new Error('the time for warming up is over');
}

async function openConnections({ db }: Pick<Deps, 'db'>): Promise<void> {
  await Promise.all(Array.from({ length: 4 }, () => query(db.manager, 'SELECT 1')));
}

/** Each is built when it is first asked for, which takes longer than a click may wait. */
async function buildDocuments(pool: Pool): Promise<void> {
  for (const path of ['/api/openapi.json', '/api/public/openapi.json', '/api/docs']) {
    const answer = await pool.request({ method: 'GET', path });
    await answer.body.dump();
  }
}

interface Sending {
  deps: Pick<Deps, 'db' | 'clock' | 'config'>;
  clicks: ClickRecorder;
  pool: Pool;
}

/** Clicks on a link that is gone, and reports of conversions that lack a field. */
async function sendSome({ deps, clicks, pool }: Sending, until: number): Promise<void> {
  const scope: Scope = { workspaceId: newId(), mode: 'live' };
  const [publicKey, secretKey] = await Promise.all([
    made(deps, scope, 'public'),
    made(deps, scope, 'secret'),
  ]);
  for (let index = 0; index < requestsPerKey && performance.now() < until; index += 1) {
    clicks.assume({ scope, ref }, newId());
    await send(pool, '/v1/clicks', { body: { key: publicKey, ref, url: 'https://shop.example' } });
    await send(pool, '/api/v1/conversions', {
      token: secretKey,
      body: { external_transaction_id: newId(), event_type: 'purchase', currency: 'usd' },
    });
  }
  for (const key of [publicKey, secretKey]) forgetKey(deps, key);
}

async function made(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { workspaceId, mode }: Scope,
  kind: KeyKind,
): Promise<string> {
  const key = newApiKey(kind, mode);
  await rememberKey(deps, { key, kind, apiKeyId: newId(), workspaceId, mode }, deps.clock.now());
  return key;
}

async function send(
  pool: Pool,
  path: string,
  { token, body }: { token?: string; body: object },
): Promise<void> {
  const answer = await pool.request({
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  await answer.body.dump();
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
