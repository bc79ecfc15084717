import { Client } from 'pg';
import { newId } from '../entities/ids';
import { attacks, type Attack, type Scene } from './support/attacks';
import { load, type LoadResult } from './support/load';
import { openStage } from './support/stage';
import { buildTenant, click, reject, sale, type Tenant } from './support/tenant';

/**
 * What a well-behaved tenant notices of another that does its worst: p99 of its clicks, conversions
 * and decisions while each attack runs, beside its p99 alone. Both are on one API process.
 *
 *   node bench/run.mjs neighbours [seconds an attack]
 */
const seconds = Number(process.argv[2] ?? 6);
const rates = { clicks: 40, conversions: 20, decisions: 20 } as const;

async function main(): Promise<void> {
  const stage = await openStage();
  try {
    const env = { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_AUTH: '10', RATE_LIMIT_GENERAL: '3000' };
    const api = await stage.serve('api/main.js', env);
    const nancy = await buildTenant(api, stage.databaseUrl);
    const mallory = await buildTenant(api, stage.databaseUrl);
    await measure(api, nancy);
    const rows: Record<string, unknown>[] = [];
    for (const [name, attack] of Object.entries(attacks)) {
      // Each beside its own: the speed of the machine changes meanwhile.
      const alone = await measure(api, nancy);
      const beside = await measureBeside(
        { api, databaseUrl: stage.databaseUrl, mallory },
        attack,
        nancy,
      );
      rows.push({ attack: name, ...compare(alone, beside) });
    }
    console.table(rows);
  } finally {
    await stage.close();
  }
}

async function measureBeside(
  place: Pick<Scene, 'api' | 'databaseUrl' | 'mallory'>,
  attack: Attack,
  nancy: Tenant,
): Promise<Figures> {
  const holder = new Client({ connectionString: place.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  let isOver = false;
  const attacking = attack({ ...place, holder, isOver: () => isOver });
  const figures = await measure(place.api, nancy);
  isOver = true;
  await holder.query('ROLLBACK');
  await attacking;
  await holder.end();
  return figures;
}

type Figures = Record<keyof typeof rates, LoadResult>;

async function measure(api: string, tenant: Tenant): Promise<Figures> {
  const [clicks, conversions, decisions] = await Promise.all([
    load({
      url: api,
      connections: 8,
      seconds,
      rate: rates.clicks,
      makeRequest: () => click(tenant),
    }),
    load({
      url: api,
      connections: 8,
      seconds,
      rate: rates.conversions,
      makeRequest: () => sale(tenant, newId()),
    }),
    load({
      url: api,
      connections: 8,
      seconds,
      rate: rates.decisions,
      makeRequest: () => reject(tenant, tenant.pending.pop() ?? ''),
    }),
  ]);
  return { clicks, conversions, decisions };
}

function compare(alone: Figures, beside: Figures): Record<string, unknown> {
  const cells = (Object.keys(rates) as (keyof Figures)[]).flatMap((kind) => {
    const { p99, statuses } = beside[kind];
    const bad = Object.entries(statuses).filter(([status]) => Number(status) >= 300);
    return [
      [`${kind} p99`, `${p99.toFixed(1)} (${(p99 / alone[kind].p99).toFixed(1)} x)`],
      ...(bad.length > 0 ? [[`${kind} refused`, JSON.stringify(Object.fromEntries(bad))]] : []),
    ];
  });
  return Object.fromEntries(cells) as Record<string, unknown>;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
