import { setPriority } from 'node:os';
import { Client } from 'pg';
import { attacks, prepare } from './attacks';
import type { Answers, Target } from './scene';

/** What the process of the attacks is asked to do. */
export type Order = { prepare: string; of: Target; seconds: number } | { begin: string } | 'end';

/** What it answers: that it is ready, or what the attack was answered. */
export type Report = 'ready' | Answers;

/**
 * An attacker has a machine of its own. Here it has a process of its own, which takes from the
 * others only what they leave: what is measured is what the attack costs the service.
 */
const lowestPriority = 19;

let target: Target | undefined;
let end: (() => Promise<Answers>) | undefined;

process.on('message', (order: Order) => {
  carryOut(order)
    .then((report) => process.send?.(report))
    .catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
});
process.once('disconnect', () => process.exit());

async function carryOut(order: Order): Promise<Report> {
  if (order === 'end') return (await end?.()) ?? {};
  if ('prepare' in order) {
    target = order.of;
    await prepare(order.prepare, target, order.seconds);
    setPriority(lowestPriority);
  } else {
    end = await begin(order.begin);
  }
  return 'ready';
}

/** Begins an attack; returns what ends it and says what it was answered. */
async function begin(name: string): Promise<() => Promise<Answers>> {
  const attack = attacks[name];
  if (!target || !attack) throw new Error(`nothing is prepared for ${name}`);
  const holder = new Client({ connectionString: target.databaseUrl });
  await holder.connect();
  await holder.query('BEGIN');
  let isOver = false;
  const answers: Answers = {};
  const attacking = attack({ ...target, holder, answers, isOver: () => isOver });
  return async () => {
    isOver = true;
    await holder.query('ROLLBACK');
    await attacking;
    await holder.end();
    return answers;
  };
}
