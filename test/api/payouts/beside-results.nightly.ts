import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { useApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { buildProgram } from '../../support/build/programs';

const app = useApp();

const uploads = 10;
const maxBytes = 2 * 1024 * 1024;
const promisedP99Ms = 50;

/** How long this process has stood in line for a processor that others use, in ms. */
function stoodInLine(): number {
  const [, waitedNs] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
  return Number(waitedNs) / 1e6;
}

/** Rows of one item, as long as a report may be. */
function report(reference: string): Buffer {
  const rows = Array.from({ length: 50_000 }, (_, n) => `${reference},paid,T${n}\n`).join('');
  return Buffer.from(`itemReference,status,transactionId\n${rows}`).subarray(0, maxBytes);
}

it("a neighbour's p99 stays under 50 ms beside reports of 2 MiB", async () => {
  const { manager } = app.deps.db;
  const owner = await buildMember(manager);
  const program = await buildProgram(manager, { workspaceId: owner.workspaceId });
  const payout = await buildPayout(manager, [
    await buildCommission(manager, { program, status: 'approved' }),
  ]);
  const { accessToken } = await signIn(app.deps, owner);
  const body = report(payout.items[0]?.reference ?? '');
  const upload = async (): Promise<number> => {
    const answer = await fetch(`${app.url}/api/v1/payouts/${payout.id}/results`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', Authorization: `Bearer ${accessToken}` },
      body,
    });
    await answer.arrayBuffer();
    return answer.status;
  };
  // The first time through, code is not compiled yet.
  expect(await upload()).toBe(200);

  let isOver = false;
  const waits: number[] = [];
  const neighbour = (async () => {
    while (!isOver) {
      const asked = performance.now() - stoodInLine();
      await (await fetch(`${app.url}/api/v1/health`)).arrayBuffer();
      waits.push(performance.now() - stoodInLine() - asked);
      await sleep(2);
    }
  })();
  for (let n = 0; n < uploads; n += 1) expect(await upload()).toBe(200);
  isOver = true;
  await neighbour;

  const sorted = waits.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Infinity;
  console.log(`${sorted.length} beside ${uploads} reports: p99 ${p99.toFixed(1)} ms`);
  expect(sorted.length).toBeGreaterThan(100);
  expect(p99).toBeLessThan(promisedP99Ms);
}, 120_000);
