import { foldCommissionCounts } from '../activities/commissions/day-counts';
import { claimAnyPort } from '../stack/parts/ports';
import {
  registerMerchant,
  seedCommissions,
  seedConversionsOf,
  seedProgram,
  withoutTimeouts,
} from './support/commission-world';
import type { CommissionWorld, Merchant } from './support/commission-world';
import { copyOut } from './support/copy-out';
import { runBench, type Stage } from './support/stage';

/**
 * Lists, statistics, search and export over a million commissions, by HTTP. The export is compared
 * with COPY TO of the same statement by the same server; its memory with that of the idle process.
 *
 *   node bench/run.mjs lists [commissions] [requests a case]
 */
const count = Number(process.argv[2] ?? 1_000_000);
const requests = Number(process.argv[3] ?? 40);

async function main(stage: Stage): Promise<void> {
  const adminPort = await claimAnyPort();
  const api = await stage.serve('api/main.js', { ADMIN_PORT: String(adminPort) });
  const merchant = await registerMerchant(api);
  const world = await seed(stage.databaseUrl, merchant);
  await measureReads({ api, merchant, world });
  await measureCursors({ api, merchant, world });
  await measureExport({ api, merchant, world, adminPort, databaseUrl: stage.databaseUrl });
}

function seed(url: string, merchant: Merchant): Promise<CommissionWorld> {
  return withoutTimeouts(url, async (db) => {
    const world = await seedProgram(db, merchant.workspaceId, 200);
    await seedCommissions(db, world, { count });
    await seedConversionsOf(db, world);
    await foldCommissionCounts(db);
    return world;
  });
}

interface Setting {
  api: string;
  merchant: Merchant;
  world: CommissionWorld;
}

async function measureReads({ api, merchant, world }: Setting): Promise<void> {
  const middle = Math.floor(count / 40);
  const own = `/api/v1/programs/${world.programId}/commissions`;
  const cases: Record<string, string> = {
    'first page': own,
    'across programmes': '/api/v1/commissions',
    'page in the middle': `${own}?page=${middle}`,
    'last page': `${own}?page=${Math.floor(count / 20)}`,
    'status filter': `${own}?status=approved`,
    'status filter, middle': `${own}?status=paid&page=${Math.floor(middle / 3)}`,
    'needs review': `${own}?needsReview=true`,
    'by amount': `${own}?sortBy=amountCents`,
    'by amount, middle': `${own}?sortBy=amountCents&page=${middle}`,
    'by status': `${own}?sortBy=status`,
    'by type': `${own}?sortBy=commissionType&sortOrder=asc`,
    'by review': `${own}?sortBy=needsReview`,
    'by partner': `${own}?sortBy=partnerName`,
    'by partner, middle': `${own}?sortBy=partnerName&page=${middle}`,
    'one week': `${own}?dateFrom=2026-01-01&dateTo=2026-01-07`,
    'search transaction': `${own}?search=8f14e45f`,
    'search partner': `${own}?search=e4da3b7`,
    'search nothing': `${own}?search=nosuchthing`,
    stats: `${own}/stats`,
    'stats across programmes': '/api/v1/commissions/stats',
    'stats of a month': `${own}/stats?dateFrom=2026-05-01&dateTo=2026-05-31`,
    'stats of a search': `${own}/stats?search=8f14e45f`,
  };
  const rows: Record<string, { 'p50 ms': number; 'p95 ms': number; total: number }> = {};
  for (const [name, path] of Object.entries(cases)) rows[name] = await time(api + path, merchant);
  console.table(rows);
}

/** The first page of an order, and what a cursor at the end of the last but one gives. */
async function measureCursors({ api, merchant, world }: Setting): Promise<void> {
  const own = `${api}/api/v1/programs/${world.programId}/commissions?`;
  const lists: Record<string, string> = {
    newest: own,
    oldest: `${own}sortOrder=asc&`,
    'across programmes': `${api}/api/v1/commissions?`,
    'by amount': `${own}sortBy=amountCents&`,
    'by status': `${own}sortBy=status&`,
    'by type': `${own}sortBy=commissionType&`,
    'by review': `${own}sortBy=needsReview&`,
    'by partner': `${own}sortBy=partnerName&`,
    'approved, newest': `${own}status=approved&`,
  };
  const rows: Record<string, object> = {};
  for (const [name, list] of Object.entries(lists)) {
    const first = await time(list, merchant);
    const last = await time(await lastPageOf(list, merchant, first.total), merchant);
    rows[name] = {
      'first p95 ms': first['p95 ms'],
      'last p50 ms': last['p50 ms'],
      'last p95 ms': last['p95 ms'],
      'last / first': round(last['p50 ms'] / first['p50 ms']),
    };
  }
  console.table(rows);
}

async function lastPageOf(list: string, { accessToken }: Merchant, total: number): Promise<string> {
  const page = Math.ceil(total / 20) - 1;
  const response = await fetch(`${list}page=${page}`, {
    headers: { Authorization: `Bearer ${accessToken}` },
  });
  const { nextCursor } = (await response.json()) as { nextCursor: string | null };
  if (!nextCursor) throw new Error(`page ${page} of ${list} answered ${response.status}`);
  return `${list}cursor=${encodeURIComponent(nextCursor)}`;
}

async function time(url: string, { accessToken }: Merchant) {
  const latencies: number[] = [];
  let total = 0;
  for (let n = 0; n < requests; n += 1) {
    const started = performance.now();
    const response = await fetch(url, { headers: { Authorization: `Bearer ${accessToken}` } });
    const body = (await response.json()) as { total?: number; count?: number };
    latencies.push(performance.now() - started);
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    total = body.total ?? body.count ?? 0;
  }
  latencies.sort((a, b) => a - b);
  const at = (share: number): number =>
    Math.round((latencies[Math.floor(latencies.length * share)] ?? 0) * 10) / 10;
  return { 'p50 ms': at(0.5), 'p95 ms': at(0.95), total };
}

async function measureExport(
  setting: Setting & { adminPort: number; databaseUrl: string },
): Promise<void> {
  const { api, merchant, world, adminPort, databaseUrl } = setting;
  const idle = await residentMb(adminPort);
  let most = idle;
  const watch = setInterval(() => {
    void residentMb(adminPort).then((now) => (most = Math.max(most, now)));
  }, 200);

  const started = performance.now();
  const response = await fetch(`${api}/api/v1/programs/${world.programId}/commissions/export`, {
    headers: { Authorization: `Bearer ${merchant.accessToken}` },
  });
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).byteLength;
  const exportSeconds = (performance.now() - started) / 1_000;
  clearInterval(watch);
  const copySeconds = await copyOut(databaseUrl, world, count);

  console.table({
    export: {
      seconds: round(exportSeconds),
      MB: round(bytes / 1e6),
      'rows/s': Math.round(count / exportSeconds),
      'of COPY TO': `${Math.round((copySeconds / exportSeconds) * 100)} %`,
      'more MB resident': Math.round(most - idle),
    },
    'COPY TO': { seconds: round(copySeconds), 'rows/s': Math.round(count / copySeconds) },
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;

async function residentMb(adminPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  const match = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text);
  return Number(match?.[1] ?? 0) / 1e6;
}

runBench(main);
