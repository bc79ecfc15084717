import { updateProgram } from '../../../activities/programs/programs';
import { dryRunConversion } from '../../../activities/purchases/report-purchase';
import { systemActor } from '../../../entities/rules/values/actor';
import { query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { buildReport } from '../../support/build/conversions';
import { chargeSucceeded, invoicePaymentPaid, stripeId } from '../../support/stripe/events';
import { buildStory, on, type Story } from '../../support/stripe/story';

/** Terms and hold go by what first told of a payment, the report or the biller. */
const deps = useDeps();

/** Has the programme give a tenth in place of a fifth from now on. */
async function halve({ shop: { program, scope } }: Story): Promise<void> {
  const gross = { type: 'percentage', rateBps: 1_000, amountCents: null, basis: 'gross' } as const;
  const commission = { ...gross, recurring: false, recurringMonths: null };
  const context = { scope, actor: systemActor, now: new Date() };
  const patch = { commission };
  await updateProgram(deps.db.manager, context, { programId: program.id, patch });
}

/** The days in which the hold ends. */
async function heldDays({ shop: { program } }: Story): Promise<number | undefined> {
  const [held] = await query<{ days: number }>(
    deps.db.manager,
    `SELECT round(extract(epoch FROM hold_until - now()) / 86400)::int AS days
       FROM commissions WHERE program_id = $1`,
    [program.id],
  );
  return held?.days;
}

it('a report that names its customer earns by the terms of when Stripe told its charge', async () => {
  const story = await buildStory(deps);
  const paymentIntent = stripeId('pi');
  await story.send(chargeSucceeded({ charge: stripeId('ch'), paymentIntent, at: on(1) }));
  await halve(story);

  const { click: clickId, user: customerId } = story;
  const sale = { externalTransactionId: paymentIntent, clickId, customerId, occurredAt: on(1) };
  const context = { scope: story.shop.scope, now: new Date() };
  const { record } = await dryRunConversion(deps.db.manager, context, buildReport(sale));
  expect(record.commission?.amountCents).toBe(2_000);

  await story.report(sale, new Date());
  expect(await story.due()).toEqual(['partner 2000']);
});

it('holds a sale from when its charge was told', async () => {
  const story = await buildStory(deps, { holdDays: 30 });
  const paymentIntent = stripeId('pi');
  await story.send(chargeSucceeded({ charge: stripeId('ch'), paymentIntent, at: on(1) }));
  const sale = { externalTransactionId: paymentIntent, clickId: story.click, occurredAt: on(1) };
  await story.report(sale, new Date(Date.now() + 10 * 86_400_000));

  expect(await heldDays(story)).toBe(30);
});

it('a report by the invoice earns and is held by what told its charge before, once the two are known as one', async () => {
  const story = await buildStory(deps, { holdDays: 30 });
  const [charge, paymentIntent, invoice] = [stripeId('ch'), stripeId('pi'), stripeId('in')];
  await story.send(chargeSucceeded({ charge, paymentIntent, at: on(1) }));
  await halve(story);
  const sale = { externalTransactionId: invoice, clickId: story.click, occurredAt: on(1) };
  await story.report(sale, new Date(Date.now() + 10 * 86_400_000));
  expect(await story.due()).toEqual(['partner 1000']);
  expect(await heldDays(story)).toBe(40);

  await story.send(invoicePaymentPaid({ invoice, paymentIntent }));
  expect(await story.due()).toEqual(['partner 2000']);
  expect(await heldDays(story)).toBe(30);
});
