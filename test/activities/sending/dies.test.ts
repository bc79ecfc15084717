import { Died, dyingProcess } from '../../support/faults/dying-process';
import { advance, compareBooks, later, statusesOf } from '../../support/paypal/shop';
import { hour, usePayPal, type Sent } from '../../support/paypal/suite';
import { isNightly } from '../../support/run/nightly';

/** A worker that dies between any two statements of a try or a question. */
const { app, paypal, sent } = usePayPal();

/** It has more than ten steps and fewer than this many. */
const mostSteps = 100;

async function dieAt({ payout }: Sent, step: number): Promise<boolean> {
  const { deps, hasDied } = dyingProcess(app.deps, step);
  await advance({ ...app, deps }, payout).catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  return hasDied();
}

/** The steps at which it dies: a few by day, each by night. */
const [first, apart] = isNightly ? [1, 1] : [4, 14];

it.each([
  ['says it', (): Promise<unknown> => Promise.resolve()],
  [
    'asks what became of it',
    async ({ payout }: Sent) => {
      await advance(app, payout);
      paypal.books.payAll();
      app.deps.clock.advance(2 * hour);
    },
  ],
])(
  'a worker that %s may die at any step: it is paid once, and booked once',
  async (_, begin) => {
    let step = first;
    for (let died = true; died && step < mostSteps; step += apart) {
      const story = await sent(2);
      await begin(story);
      died = await dieAt(story, step);
      await later(app, story.payout, hour);
      paypal.books.payAll();
      await later(app, story.payout, hour);
      const times = story.payout.items.map(
        ({ reference }) => paypal.books.itemsOf(reference).length,
      );
      expect([step, times]).toEqual([step, [1, 1]]);
      expect([step, await statusesOf(story.shop, story.payout)]).toEqual([step, ['paid', 'paid']]);
      expect(await compareBooks(app, paypal, story.payout)).toEqual([]);
    }
    expect(step).toBeGreaterThan(10);
    expect(step).toBeLessThan(mostSteps);
  },
  isNightly ? 600_000 : 120_000,
);
