import { Client } from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { attacks, leadMs, type Attack, type Scene } from './support/attacks';
import { measureTenant, openCast, type Cast, type Figures } from './support/neighbour-cast';
import { openStage } from './support/stage';

/**
 * What a well-behaved tenant notices of another that does its worst: p99 of its clicks, conversions
 * and decisions, of a reset mail from the request to the mail server and of a webhook from the
 * answer to its receipt, while each attack runs, beside the same just before. One API and one worker.
 *
 *   npm run bench neighbours [seconds a step, default 6] [a part of an attack's name, ...]
 */
const seconds = Number(process.argv[2] ?? 6);
const named = process.argv.slice(3);
const target = 2;

/** Code that runs for the first time in a process is slow once: each attack is rehearsed. */
const rehearsalMs = 500;
/** Then what it has left behind ends. */
const afterwardsMs = 3_000;

async function main(): Promise<void> {
  const stage = await openStage();
  const cast = await openCast(stage);
  try {
    await measureTenant(cast, seconds);
    const rows: Record<string, unknown>[] = [];
    for (const [name, attack] of chosenAttacks()) {
      await whileAttacked(cast, attack, () => sleep(rehearsalMs));
      await sleep(afterwardsMs);
      // Each beside its own: the speed of the machine changes meanwhile.
      const alone = await measureTenant(cast, seconds);
      const beside = await whileAttacked(cast, attack, async () => {
        await sleep(leadMs(attack));
        return measureTenant(cast, seconds);
      });
      rows.push({ attack: name, ...compare(alone, beside) });
      console.error(`${name}: done`);
    }
    console.log(
      `p99 beside the attack in ms, and as a multiple of the one before; target <= ${target} x`,
    );
    console.table(rows);
  } finally {
    await cast.close();
    await stage.close();
  }
}

/** Those that were named, all of them without a name. */
function chosenAttacks(): [string, Attack][] {
  const isChosen = (name: string): boolean =>
    named.length === 0 || named.some((part) => name.includes(part));
  const chosen = Object.entries(attacks).filter(([name]) => isChosen(name));
  if (chosen.length === 0) throw new Error(`Which attack? ${Object.keys(attacks).join('; ')}`);
  return chosen;
}

async function whileAttacked<R>(cast: Cast, attack: Attack, work: () => Promise<R>): Promise<R> {
  const { stage, api, mallory, stripe, hang } = cast;
  const holder = new Client({ connectionString: stage.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  let isOver = false;
  const scene: Scene = { api, mallory, stripe, hang, holder, isOver: () => isOver };
  const attacking = attack(scene);
  const result = await work();
  isOver = true;
  await holder.query('ROLLBACK');
  await attacking;
  await holder.end();
  return result;
}

function compare(alone: Figures, beside: Figures): Record<string, string> {
  const kinds = Object.keys(alone.p99) as (keyof Figures['p99'])[];
  const cells = kinds.map((kind) => {
    const ratio = beside.p99[kind] / alone.p99[kind];
    return [kind, `${beside.p99[kind].toFixed(1)} (${ratio.toFixed(1)} x)`] as const;
  });
  for (const [what, count] of Object.entries({ ...alone.wrong, ...beside.wrong })) {
    console.error(`wrong: ${what}, ${count} times`);
    process.exitCode = 1;
  }
  return Object.fromEntries(cells);
}

void main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
