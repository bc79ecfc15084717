import { askOldPayments } from '../../../activities/purchases/ask-old';
import { systemActor } from '../../../entities/rules/values/actor';
import { execute } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { checkoutCompleted, invoicePaid, stripeId } from '../../support/stripe/events';
import { buildStory, on, type Story } from '../../support/stripe/story';

/** What an earlier release took in, and was under way when this one came. */
const deps = useDeps();
const db = () => deps.db.manager;

/** Leaves the rows of a shop as the migrations leave those of a release that kept no facts for credit. */
async function asAnEarlierReleaseLeftIt({ shop }: Story): Promise<void> {
  const { workspaceId } = shop.scope;
  const statements = [
    'UPDATE stripe_payments SET customer = NULL, sale = NULL, verdict = NULL WHERE workspace_id = $1',
    `UPDATE stripe_objects SET fact = fact - 'createdAt' - 'periodStart' - 'billingReason'
      WHERE workspace_id = $1`,
    'UPDATE conversions SET credited_as = NULL WHERE workspace_id = $1',
    'UPDATE customer_bindings SET payment_id = NULL WHERE workspace_id = $1',
    'DELETE FROM customers WHERE workspace_id = $1 AND source IS NULL',
    `UPDATE customers SET last_paid_at = first_paid_at,
            first_payments = jsonb_build_object(program_id::text, jsonb_build_object(
              'paidAt', first_payments->program_id::text->'paidAt',
              'periodAt', first_payments->program_id::text->'paidAt'))
      WHERE workspace_id = $1 AND first_paid_at IS NOT NULL`,
  ];
  for (const statement of statements) await execute(db(), statement, [workspaceId]);
}

const seconds = (from: Date, count: number): Date => new Date(from.getTime() + count * 1_000);

it('a trial’s click credits the first invoice that is paid after the upgrade', async () => {
  const story = await buildStory(deps, { recurring: true });
  const ids = { customer: story.cus, subscription: stripeId('sub') };
  await story.send(
    checkoutCompleted({
      ...ids,
      click: story.click,
      paymentStatus: 'no_payment_required',
      paymentIntent: null,
      amount: 0,
      at: on(0),
    }),
  );
  await asAnEarlierReleaseLeftIt(story);
  await story.send(invoicePaid({ ...ids, amount: 10_000, paidAt: on(14), periodStart: on(14) }));
  await story.later();
  await story.send(invoicePaid({ ...ids, amount: 10_000, paidAt: on(45), periodStart: on(45) }));

  expect(await story.due()).toEqual(['partner 2000', 'partner 2000']);
});

it('months count from the period of a first payment whose period was not kept', async () => {
  const story = await buildStory(deps, { recurring: true, recurringMonths: 2 });
  const ids = { customer: story.cus, subscription: stripeId('sub'), amount: 10_000 };
  const month = (start: Date) =>
    story.send(invoicePaid({ ...ids, periodStart: start, paidAt: seconds(start, 3_600) }));
  const first = invoicePaid({
    ...ids,
    subscriptionClick: story.click,
    periodStart: on(0),
    paidAt: seconds(on(0), 20),
  });
  await story.send(first);
  await story.later();
  await asAnEarlierReleaseLeftIt(story);
  await month(on(31));
  await month(on(59));

  expect(await story.due()).toEqual(['partner 2000', 'partner 2000', 'partner 0']);
});

describe('what an earlier release decided', () => {
  const ask = async ({ shop }: Story, isApplied: boolean) => {
    const { workspaceId } = shop.scope;
    const cause = { actor: systemActor, now: new Date() };
    const wish = { workspaceId, isApplied };
    const changed = [];
    for await (const sale of askOldPayments({ db: db(), vault: deps.vault }, cause, wish)) {
      changed.push([sale.before, sale.after]);
    }
    return changed;
  };

  it('is asked again by a command alone, which shows first what would change', async () => {
    const story = await buildStory(deps, { recurring: false });
    const { user: customerId } = story;
    await story.signUp();
    await story.report({ customerId, occurredAt: on(20), amountCents: 1_000 });
    await asAnEarlierReleaseLeftIt(story);
    // It was the first when it was told, and stays so until it is asked again.
    await story.report({ customerId, occurredAt: on(10), amountCents: 10_000 });
    expect(await story.due()).toEqual(['partner 2000', 'partner 200']);

    expect(await ask(story, false)).toEqual([[200, 0]]);
    expect(await story.due()).toEqual(['partner 2000', 'partner 200']);
    expect(await ask(story, true)).toEqual([[200, 0]]);
    expect(await story.due()).toEqual(['partner 2000', 'partner 0']);
    expect(await ask(story, true)).toEqual([]);
  });

  it('stays, terms and all, where the facts say the same', async () => {
    const story = await buildStory(deps, { recurring: true });
    const ids = { customer: story.cus, subscription: stripeId('sub'), amount: 10_000 };
    await story.send(invoicePaid({ ...ids, paidAt: on(1), subscriptionClick: story.click }));
    await story.later();
    await story.send(invoicePaid({ ...ids, paidAt: on(32) }));
    await execute(db(), 'UPDATE programs SET rate_bps = 5000 WHERE id = $1', [
      story.shop.program.id,
    ]);
    await asAnEarlierReleaseLeftIt(story);

    expect(await ask(story, true)).toEqual([]);
    expect(await story.due()).toEqual(['partner 2000', 'partner 2000']);
  });
});
