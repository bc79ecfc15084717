import fc from 'fast-check';
import { query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { dyingProcess } from '../../support/faults/dying-process';
import type { ShopDeps } from '../../support/stripe/shop';
import type { Terms } from './model';
import { anySequence, compare, type Sequence } from './sequences';
import { buildSetting, customersOf, expectedCustomersOf, type Setting } from './setting';
import { know, sendRefusedAgain, tell, type Step } from './steps';

/**
 * The model of a customer, told to processes that die: each step is first told to one that dies at some statement or
 * commit of it, then to another one, as a caller tries again, or Stripe; steps of one moment are told to two processes
 * at once. What a dead one has stored and not processed, the other ones process. KILLED_SEED repeats a failure.
 */
const deps = useDeps();

const sequences = Number(process.env['KILLED_SEQUENCES'] ?? 60);
const seed = Number(process.env['KILLED_SEED'] ?? Date.now() % 1_000_000_000);
const tenMinutes = 600_000;

/** The same customer and shop, told of by a process with these parts. */
function toldBy(setting: Setting, parts: ShopDeps): Setting {
  const shop = setting.shop.by(parts);
  return {
    ...setting,
    db: parts.db.manager,
    shop,
    send: async (...events) => {
      for (const id of await shop.receive(...events)) await shop.process(id);
    },
  };
}

/** Tells a step to a process that dies at this statement or commit, if it comes so far. */
async function tellDying(setting: Setting, step: Step, at: number): Promise<void> {
  const { deps: parts, hasDied } = dyingProcess(deps, at);
  try {
    await tell(toldBy(setting, parts), step);
  } catch (error) {
    if (!hasDied()) throw error;
  }
}

/** Processes what a dead process had stored. */
async function processLeft({ db, shop }: Setting): Promise<void> {
  const left = await query<{ id: string }>(
    db,
    `SELECT id FROM stripe_events WHERE connection_id = $1 AND status = 'received' ORDER BY id`,
    [shop.connectionId],
  );
  for (const { id } of left) await shop.process(id);
}

async function play(terms: Terms, sequence: Sequence, deaths: readonly number[]): Promise<void> {
  const setting = await buildSetting(deps, terms);
  let told = 0;
  const nextDeath = (): number => deaths[told++ % deaths.length] ?? 1;
  for (const together of sequence) {
    const steps = know(setting.model, together);
    await Promise.all(steps.map((step) => tellDying(setting, step, nextDeath())));
    await Promise.all(steps.map((step) => tell(toldBy(setting, deps), step)));
    await processLeft(setting);
    await setting.settle();
    expect(await customersOf(setting)).toEqual(expectedCustomersOf(setting));
  }
  await sendRefusedAgain(setting);
  await setting.settle(new Date(Date.now() + tenMinutes + 60_000));
  await compare(setting);
}

describe(`a customer, told to processes that die, seed ${seed} (customers.md, History)`, () => {
  it.each<Terms>([
    { recurring: true, recurringMonths: null },
    { recurring: true, recurringMonths: 2 },
    { recurring: false, recurringMonths: null },
  ])(
    'ends as if none had died: %o',
    async (terms) => {
      const anyDeaths = fc.array(fc.integer({ min: 1, max: 45 }), { minLength: 5, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(anySequence, anyDeaths, (sequence, deaths) =>
          play(terms, sequence, deaths),
        ),
        { numRuns: sequences, seed },
      );
    },
    3_600_000,
  );
});
