import { Client } from 'pg';
import { attacks, type Attack, type Scene } from './support/attacks';
import { measureTenant, openCast, type Cast, type Figures } from './support/neighbour-cast';
import { openStage } from './support/stage';

/**
 * What a well-behaved tenant notices of another that does its worst: p99 of its clicks, conversions
 * and decisions, of a reset mail from the request to the mail server and of a webhook from the
 * answer to its receipt, while each attack runs, beside the same just before. One API and one worker.
 *
 *   npm run bench neighbours [seconds a step, default 6]
 */
const seconds = Number(process.argv[2] ?? 6);
const target = 2;

async function main(): Promise<void> {
  const stage = await openStage();
  const cast = await openCast(stage);
  try {
    await measureTenant(cast, seconds);
    const rows: Record<string, unknown>[] = [];
    for (const [name, attack] of Object.entries(attacks)) {
      // Each beside its own: the speed of the machine changes meanwhile.
      const alone = await measureTenant(cast, seconds);
      const beside = await measureBeside(cast, attack);
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

async function measureBeside(cast: Cast, attack: Attack): Promise<Figures> {
  const { stage, api, mallory, stripe } = cast;
  const holder = new Client({ connectionString: stage.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  let isOver = false;
  const scene: Scene = { api, mallory, stripe, holder, isOver: () => isOver };
  const attacking = attack(scene);
  const figures = await measureTenant(cast, seconds);
  isOver = true;
  await holder.query('ROLLBACK');
  await attacking;
  await holder.end();
  return figures;
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
