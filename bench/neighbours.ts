import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { execute } from '../entities/database/sql';
import { mechanisms } from './plain/without';
import type { Order, Report } from './support/neighbours/attacker';
import { attacks, leadMs } from './support/neighbours/attacks';
import type { Answers } from './support/neighbours/scene';
import {
  maxP99Ms,
  measureTenant,
  merge,
  openCast,
  p99Of,
  seenNothing,
  type Cast,
  type Kind,
  type Seen,
} from './support/neighbours/cast';
import { signInAgain } from './support/neighbours/tenant';
import { runBench, type Stage } from './support/stage';
import { untilQuiet } from './support/worker';

/**
 * What a well-behaved tenant notices of another that does its worst: p99 of its clicks, conversions
 * and decisions, of a reset mail from the request to the mail server and of a webhook from the
 * answer to its receipt, while each attack runs. It fails when a request of that tenant is refused,
 * fails or never comes, or when a p99 is above its target. Beside it stands the p99 without the
 * attack: the two take turns, and the p99 is that of all turns together. One API and one worker.
 *
 *   npm run bench neighbours [seconds a step, default 5] [turns, default 3] [a part of an attack's name, ...]
 *
 * `npm run bench neighbours -- --without NAME` measures the service without one of the mechanisms of
 * bench/plain/without.ts: what it earns is the cells that miss their target then.
 */
const {
  values: { without },
  positionals: [secondsGiven = '5', turnsGiven = '3', ...named],
} = parseArgs({ options: { without: { type: 'string' } }, allowPositionals: true });
const seconds = Number(secondsGiven);
const turns = Number(turnsGiven);

/** The seconds of an attack, more than any lasts, its rehearsal and answers that come late included. */
const attackedFor = turns * (seconds + 5) + 5;

/** Code that runs for the first time in a process is slow once: each attack is rehearsed. */
const rehearsalMs = 500;
/** The time in which what is still under way ends, and Postgres comes to rest. */
const afterwardsMs = 1_000;

interface Bench {
  cast: Cast;
  /** The process of the attacks. */
  attacker: ChildProcess;
}

async function main(stage: Stage): Promise<void> {
  if (without !== undefined && !(without in mechanisms)) {
    throw new Error(`Without which? ${Object.keys(mechanisms).join(', ')}`);
  }
  const names = chosenAttacks();
  const cast = await openCast(stage, {
    seconds: (1 + 2 * turns * names.length) * seconds,
    ...(without !== undefined && { without }),
  });
  const attacker = fork(path.join(__dirname, 'support/neighbours/attacker.js'), { detached: true });
  try {
    await measureTenant(cast, seconds);
    const rows: Record<string, unknown>[] = [];
    for (const name of names) {
      await Promise.all([cast.nancy, cast.target.mallory].map((one) => signInAgain(cast.api, one)));
      await order(attacker, { prepare: name, of: cast.target, seconds: attackedFor });
      const { answers, ...seen } = await measureBeside({ cast, attacker }, name);
      rows.push({ attack: name, ...compare(seen), answered: wordsOf(answers) });
      console.error(`${name}: done`);
    }
    const targets = Object.entries(maxP99Ms).map(([kind, ms]) => `${kind} ${ms}`);
    console.log(`p99 beside the attack in ms, and as a multiple of the one without`);
    console.log(`target: nothing refused or lost, p99 at most ${targets.join(', ')} ms`);
    if (without !== undefined) console.log(`without: ${without}`);
    console.table(rows);
  } finally {
    attacker.kill();
    await cast.close();
  }
}

/** The two are measured in turns, so that a machine that is slow for a while is slow for both. */
async function measureBeside({ cast, attacker }: Bench, name: string) {
  let [alone, beside] = [seenNothing, seenNothing];
  const answers: Answers = {};
  await whileAttacked(attacker, name, () => sleep(rehearsalMs));
  for (let turn = 0; turn < turns; turn += 1) {
    await forgetAttack(cast);
    alone = merge(alone, await measureTenant(cast, seconds));
    const { seen, answered } = await whileAttacked(attacker, name, async () => {
      await sleep(leadMs(name));
      return measureTenant(cast, seconds);
    });
    beside = merge(beside, seen);
    for (const [status, count] of Object.entries(answered)) {
      answers[status] = (answers[status] ?? 0) + count;
    }
  }
  return { alone, beside, answers };
}

/** The work that it has left behind would be done beside the next turn, which is to be without it. */
async function forgetAttack({ stage, target }: Cast): Promise<void> {
  const { workspaceId } = target.mallory;
  await execute(stage.db.manager, 'DELETE FROM outbox WHERE workspace_id = $1', [workspaceId]);
  await sleep(afterwardsMs);
  await untilQuiet(stage);
}

/** The attacks that were named; all of them without a name. */
function chosenAttacks(): string[] {
  const isChosen = (name: string): boolean =>
    named.length === 0 || named.some((part) => name.includes(part));
  const chosen = Object.keys(attacks).filter(isChosen);
  if (chosen.length === 0) throw new Error(`Which attack? ${Object.keys(attacks).join('; ')}`);
  return chosen;
}

async function whileAttacked<R>(attacker: ChildProcess, name: string, work: () => Promise<R>) {
  await order(attacker, { begin: name });
  const seen = await work();
  const answered = (await order(attacker, 'end')) as Answers;
  return { seen, answered };
}

async function order(attacker: ChildProcess, order: Order): Promise<Report> {
  attacker.send(order);
  const [report] = (await once(attacker, 'message')) as [Report];
  return report;
}

function compare({ alone, beside }: { alone: Seen; beside: Seen }): Record<string, string> {
  for (const [what, count] of Object.entries(merge(alone, beside).wrong)) {
    missed(`${what}, ${count} times`);
  }
  const quiet = p99Of(alone);
  const cells = Object.entries(p99Of(beside)).map(([kind, p99]) => {
    const ratio = p99 / quiet[kind as Kind];
    if (p99 > maxP99Ms[kind as Kind]) missed(`p99 of ${kind} ${p99.toFixed(0)} ms`);
    return [kind, `${p99.toFixed(1)} (${ratio.toFixed(1)} x)`] as const;
  });
  return Object.fromEntries(cells);
}

function missed(what: string): void {
  console.error(`missed: ${what}`);
  process.exitCode = 1;
}

function wordsOf(answers: Answers): string {
  return Object.entries(answers)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}

runBench(main);
