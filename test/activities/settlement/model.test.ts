import fc from 'fast-check';
import { useDeps } from '../../support/app';
import { charges, sum } from './model/payments';
import { Shop } from './model/shop';
import * as steps from './model/steps';
import * as stripe from './model/stripe-steps';
import { worldOf, type World } from './model/world';

/**
 * One model of money: commands of every kind in any order. After each, ledger, rows, lists, statistics
 * and balances are what the model in `model/` says, which knows the reference and no row of ours; and
 * the same command again changes nothing. `npm test` draws the same sequences each time, the nightly
 * run others; MODEL_SEED repeats a failure.
 */
const deps = useDeps();

const sequences = Number(process.env['MODEL_SEQUENCES'] ?? 100);
const seed = Number(process.env['MODEL_SEED'] ?? 20_261_124);

const slot = fc.nat(5);
const partner = fc.nat(1);
const index = fc.nat(7);
const oneOf = <const T>(...all: T[]) => fc.constantFrom(...all);

const sales = fc
  .record({
    slot: oneOf(0, 1, 2, 3, 4, 5, 5),
    partner,
    kind: oneOf('percentage', 'net', 'flat'),
    feeCents: oneOf(null, null, 200),
    autoApprove: fc.boolean(),
    holdDays: oneOf(0, 0, 30),
  })
  .map((of) => (of.slot === 5 ? steps.checkOut(of) : steps.report(of)));

const happenings = oneOf(
  stripe.refundAt(false),
  stripe.refundAt(true),
  ...repeated(3, stripe.refundFails),
  stripe.feeIsKnown,
  stripe.disputeOpens(false),
  stripe.disputeOpens(true),
  ...repeated(2, stripe.disputeEnds(true)),
  ...repeated(2, stripe.disputeEnds(false)),
);

const refunds = fc.tuple(slot, oneOf(null, 1_000, 3_333));
const adjustments = fc.record({
  partner,
  cents: oneOf(-700, -300, 400, 900),
  currency: oneOf('usd', 'eur'),
});
const named = fc.uniqueArray(index, { minLength: 1, maxLength: 3 });

/** Each kind with its weight. */
const kinds: [number, fc.Arbitrary<steps.Step>][] = [
  [4, sales],
  [2, refunds.map(([of, cents]) => steps.refund(of, cents))],
  [9, fc.tuple(happenings, slot, fc.boolean()).map((of) => stripe.stripe(...of))],
  [2, fc.tuple(oneOf(4, 5), fc.boolean()).map((of) => stripe.invoiceIsPaid(...of))],
  [2, index.map(stripe.arrive)],
  [3, fc.tuple(oneOf('approve', 'approve_override'), index).map((of) => steps.decide(...of))],
  [1, index.map((of) => steps.decide('reject', of))],
  [1, index.map(steps.elapse)],
  [
    1,
    fc.tuple(oneOf('suspend', 'reinstate', 'reinstate'), partner).map((of) => steps.judge(...of)),
  ],
  [2, adjustments.map(steps.adjust)],
  [3, fc.constant(steps.pay(null))],
  [2, named.map(steps.pay)],
  [3, fc.tuple(oneOf('complete', 'cancel'), index).map((of) => steps.end(...of))],
  [6, fc.tuple(oneOf('paid', 'failed', 'returned'), index).map((of) => steps.mark(...of))],
];

const commands = fc.commands(
  kinds.flatMap(([weight, kind]) =>
    repeated(
      weight,
      kind.map((step) => new steps.MoneyCommand(step)),
    ),
  ),
  { maxCommands: 25, size: 'max' },
);

/** An erasure comes once in a while, as nothing much happens afterwards. */
const erased = fc.option(partner, { freq: 3 });

function repeated<T>(times: number, one: T): T[] {
  return Array.from({ length: times }, () => one);
}

/** Tells at last whatever was late. */
async function tellTheRest(world: World, shop: Shop): Promise<void> {
  while (world.late.length > 0) {
    await new steps.MoneyCommand(stripe.arrive(world.late.length - 1)).run(world, shop);
  }
  // All told, what Stripe has given back is what it did, whichever came first.
  for (const { refundedCents, sale } of world.payments) {
    const sides = world.stripe.filter((_, index) => charges[index]?.slot === sale.slot);
    expect(refundedCents).toBe(sum(sides.map(({ standingCents }) => standingCents)));
  }
}

it('money: whatever happens in any order, all that is shown is what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(commands, erased, commands, async (before, whom, after) => {
      const shop = await Shop.open(deps);
      const world = worldOf(shop.partners);
      const setup = () => ({ model: world, real: shop });
      await fc.asyncModelRun(setup, before);
      if (whom !== null) await new steps.MoneyCommand(steps.erase(whom)).run(world, shop);
      await fc.asyncModelRun(setup, after);
      await tellTheRest(world, shop);
    }),
    { numRuns: sequences, seed },
  );
}, 3_600_000);
