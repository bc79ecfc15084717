import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../entities/ids';
import { execute } from '../../../entities/database/sql';
import { load, type LoadResult, type Shot } from '../load';
import { openReceiver, subscribe, withoutTls } from './receivers';
import type { Target } from './scene';
import type { Stage } from '../stage';
import { quantile } from '../table';
import { connectStripe } from '../stripe';
import { serveWorkflows } from '../worker';
import { openMailServer, type Arrivals } from '../mail-server';
import { buildTenant, click, reject, sale, type Tenant } from './tenant';

export interface Cast {
  stage: Stage;
  api: string;
  nancy: Tenant;
  /** The other tenant, and where its processor sends its events. */
  target: Target;
  mails: Arrivals;
  webhooks: Arrivals;
  close(): Promise<void>;
}

/** Pending commissions of the other tenant, whose attacks decide or pay them. */
const fewPending = 20_000;

/**
 * Both tenants, on one API and one worker with a real Temporal, and those who receive. The tenant can
 * be measured for so many seconds. `without` names a mechanism of bench/plain/without.ts that the service is
 * measured without.
 */
export async function openCast(
  stage: Stage,
  { seconds, without }: { seconds: number; without?: string },
): Promise<Cast> {
  const preloads = without === undefined ? [] : [path.join(__dirname, '../../plain/without.js')];
  const { mails, smtpUrl } = await openMailServer();
  const receiver = await openReceiver();
  const { address } = await stage.startTemporal();
  const env = {
    TEMPORAL_ADDRESS: address,
    SMTP_URL: smtpUrl,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...(without !== undefined && { WITHOUT: without }),
  };
  const limits = {
    TRUSTED_PROXIES: '127.0.0.1',
    RATE_LIMIT_AUTH: '10',
    RATE_LIMIT_GENERAL: '3000',
    RATE_LIMIT_MAIL: '0',
  };
  const api = await stage.serve('api/main.js', { ...env, ...limits }, preloads);
  const pending = Math.max(fewPending, Math.ceil(rates.decisions * seconds * 1.1));
  const nancy = await buildTenant(api, stage.databaseUrl, pending);
  const mallory = await buildTenant(api, stage.databaseUrl, fewPending);
  await subscribe(api, nancy, receiver.url);
  await withoutTls(stage.databaseUrl);
  const stripe = await connectStripe(api, mallory.token);
  await serveWorkflows(stage, env, preloads);
  return {
    stage,
    api,
    nancy,
    target: {
      api,
      databaseUrl: stage.databaseUrl,
      mallory,
      stripe,
      hangingUrl: receiver.hangingUrl,
    },
    mails,
    webhooks: receiver,
    close: async () => void (await Promise.all([mails.close(), receiver.close()])),
  };
}

const rates = { clicks: 40, conversions: 20, decisions: 20, resets: 5 } as const;

const kinds = ['clicks', 'conversions', 'decisions', 'mails', 'webhooks'] as const;
export type Kind = (typeof kinds)[number];

export interface Seen {
  /** Milliseconds of each request, mail and webhook. */
  waits: Record<Kind, number[]>;
  /** What was refused or never came, and how often. */
  wrong: Record<string, number>;
}

export const seenNothing: Seen = {
  waits: { clicks: [], conversions: [], decisions: [], mails: [], webhooks: [] },
  wrong: {},
};

/** Both together, as if they had been seen in one look. */
export function merge(one: Seen, other: Seen): Seen {
  const wrong = { ...one.wrong };
  for (const [what, count] of Object.entries(other.wrong)) {
    wrong[what] = (wrong[what] ?? 0) + count;
  }
  const waits = kinds.map((kind) => [kind, [...one.waits[kind], ...other.waits[kind]]] as const);
  return { waits: Object.fromEntries(waits) as Seen['waits'], wrong };
}

/** What another tenant's p99 stays below, in milliseconds, whatever anybody does. */
export const maxP99Ms: Record<Kind, number> = {
  clicks: 250,
  conversions: 250,
  decisions: 250,
  mails: 1_000,
  webhooks: 1_000,
};

/** The p99 of each kind in milliseconds. */
export function p99Of({ waits }: Seen): Record<Kind, number> {
  const p99s = kinds.map((kind) => [kind, quantile(waits[kind], 0.99)] as const);
  return Object.fromEntries(p99s) as Record<Kind, number>;
}

/** What one tenant sees in some seconds. */
export async function measureTenant(cast: Cast, seconds: number): Promise<Seen> {
  const { api, nancy: tenant } = cast;
  const addresses = await addPartners(cast.stage, Math.ceil(rates.resets * seconds) + 5);
  const asked: string[] = [];
  const sold: string[] = [];
  const paced = (rate: number, makeRequest: () => Shot) =>
    load({ url: api, connections: 8, seconds, rate, makeRequest });
  const [clicks, conversions, decisions, resets] = await Promise.all([
    paced(rates.clicks, () => click(tenant)),
    answered(api, { seconds, rate: rates.conversions, names: sold }, () => {
      const id = newId();
      return [id, sale(tenant, id)];
    }),
    paced(rates.decisions, () => reject(tenant, tenant.pending.pop() ?? '')),
    answered(api, { seconds, rate: rates.resets, names: asked }, () => {
      const email = addresses.pop() ?? '';
      return [email, forgot(email)];
    }),
  ]);
  const mails = await waitsOf(resets.at, cast.mails.at);
  const webhooks = await waitsOf(conversions.at, cast.webhooks.at);
  return {
    waits: {
      clicks: clicks.latencies,
      conversions: conversions.result.latencies,
      decisions: decisions.latencies,
      mails: mails.waits,
      webhooks: webhooks.waits,
    },
    wrong: {
      ...refusals('clicks', clicks),
      ...refusals('conversions', conversions.result),
      ...refusals('decisions', decisions),
      ...refusals('resets', resets.result),
      ...(mails.lost > 0 && { 'mails never came': mails.lost }),
      ...(webhooks.lost > 0 && { 'webhooks never came': webhooks.lost }),
    },
  };
}

function forgot(email: string): Shot {
  // Each from a network of its own: the limit of an address is not what is measured.
  const network = newId().slice(-4);
  return {
    path: '/api/v1/auth/partner/forgot-password',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `2001:db9:${network}::1` },
    body: JSON.stringify({ email }),
  };
}

interface Paced {
  seconds: number;
  rate: number;
  names: string[];
}

/** A load over one connection, and when each of its requests was answered, by its name. */
async function answered(api: string, { seconds, rate, names }: Paced, next: () => [string, Shot]) {
  const at = new Map<string, number>();
  const result = await load({
    url: api,
    connections: 1,
    seconds,
    rate,
    makeRequest: () => {
      const [name, shot] = next();
      names.push(name);
      return shot;
    },
    onAnswer: (status) => {
      const name = names.at(-1);
      if (name !== undefined && status < 300) at.set(name, performance.now());
    },
  });
  return { result, at };
}

const patienceMs = 20_000;

/** How long after the answer each came; waits for those that are still under way. */
async function waitsOf(since: Map<string, number>, at: Map<string, number>) {
  const until = performance.now() + patienceMs;
  const isMissing = (): boolean => [...since.keys()].some((name) => !at.has(name));
  while (isMissing() && performance.now() < until) await sleep(20);
  const came = [...since].filter(([name]) => at.has(name));
  const waits = came.map(([name, from]) => Math.max((at.get(name) ?? 0) - from, 0));
  return { waits, lost: since.size - came.length };
}

function refusals(what: string, { statuses }: LoadResult): Record<string, number> {
  const refused = Object.entries(statuses).filter(([status]) => Number(status) >= 300);
  return Object.fromEntries(refused.map(([status, count]) => [`${what} ${status}`, count]));
}

let partners = 0;

/** Accounts that ask for a new password, once each. */
async function addPartners({ db }: Stage, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    partners += 1;
    return { id: newId(), email: `partner-${partners}-${process.pid}@example.test` };
  });
  await execute(
    db.manager,
    `INSERT INTO partner_accounts (id, email, email_verified_at, name, password_hash, created_at,
       updated_at)
     SELECT r.id, r.email, now(), 'Bench', 'x', now(), now()
       FROM json_to_recordset($1) AS r(id uuid, email text)`,
    [JSON.stringify(rows)],
  );
  return rows.map(({ email }) => email);
}
