import { decideParticipant } from '../../../activities/partners/participant-decisions';
import { updateProgram } from '../../../activities/programs/programs';
import { query } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildPromoCode } from '../../support/build/programs';
import { chargeSucceeded, checkoutCompleted, stripeId } from '../../support/stripe/events';
import { buildStory, on, type Story } from '../../support/stripe/story';

/** Whether partner and programme can be credited is asked of the moment at which a payment was first told. */
const deps = useDeps();
const context = ({ shop: { scope } }: Story) => ({ scope, actor: systemActor, now: new Date() });

function decide(story: Story, decision: 'suspend' | 'reinstate'): Promise<void> {
  const { program, participant } = story.shop;
  const command = { programId: program.id, participantId: participant.id, decision };
  return decideParticipant(deps.db.manager, context(story), command);
}

const become = (story: Story, status: 'active' | 'paused') =>
  updateProgram(deps.db.manager, context(story), {
    programId: story.shop.program.id,
    patch: { status },
  });

/** A payment of Stripe's customer alone, whom nobody has brought yet. */
const paid = (story: Story, days: number) =>
  story.send(checkoutCompleted({ customer: story.cus, at: on(days) }));

/** Says that the shop's customer and Stripe's are one. */
const join = (story: Story) =>
  story.send(
    checkoutCompleted({ customer: story.cus, reference: story.user, amount: 1_000, at: on(20) }),
  );

it('credits a partner who was approved then, and is suspended when it turns out whose it was', async () => {
  const story = await buildStory(deps, { recurring: true });
  await story.signUp();
  await paid(story, 1);
  await decide(story, 'suspend');
  await join(story);

  expect(await story.due()).toEqual(['partner 2000', 'nobody 0']);
});

it('credits nobody with what was told while the partner was suspended', async () => {
  const story = await buildStory(deps, { recurring: true });
  await decide(story, 'suspend');
  await paid(story, 1);
  await decide(story, 'reinstate');
  await paid(story, 2);
  await story.signUp({ aliases: [story.cus] });

  expect(await story.due()).toEqual(['nobody 0', 'partner 2000']);
  const reasons = await query<{ reason: string }>(
    deps.db.manager,
    `SELECT reason FROM conversions WHERE workspace_id = $1 AND NOT attributed`,
    [story.shop.scope.workspaceId],
  );
  expect(reasons).toEqual([{ reason: 'PARTNER_NOT_APPROVED' }]);
});

it('goes by the programme of then likewise', async () => {
  const story = await buildStory(deps, { recurring: true });
  await become(story, 'paused');
  await paid(story, 1);
  await become(story, 'active');
  await story.signUp({ aliases: [story.cus] });
  await paid(story, 2);

  expect(await story.due()).toEqual(['nobody 0', 'partner 2000']);
});

it('goes by then for a code as well that is told later than the payment', async () => {
  const story = await buildStory(deps);
  const [paymentIntent, charge] = [stripeId('pi'), stripeId('ch')];
  const { code } = await buildPromoCode(deps.db.manager, story.shop.participant);
  await story.send(chargeSucceeded({ charge, paymentIntent, at: on(1) }));
  await decide(story, 'suspend');
  const object = { discounts: [{ promotion_code: { id: 'promo_1', code } }] };
  await story.send(checkoutCompleted({ paymentIntent, object, at: on(1) }));

  expect(await story.due()).toEqual(['partner 2000']);
});

it('takes a partner who came later as they are now', async () => {
  const story = await buildStory(deps, { recurring: true });
  await paid(story, 1);
  await query(
    deps.db.manager,
    'UPDATE participants SET created_at = $2, updated_at = $2 WHERE id = $1',
    [story.shop.participant.id, new Date()],
  );
  await decide(story, 'suspend');
  await decide(story, 'reinstate');
  await story.signUp({ aliases: [story.cus] });

  expect(await story.due()).toEqual(['partner 2000']);
});
