import { query } from '../../../entities/database/sql';
import { useDeps } from '../../support/app';
import { checkoutCompleted } from '../../support/stripe/events';
import { buildStory, on, type Story } from '../../support/stripe/story';

const deps = useDeps();
const count = 104;

/** How many payments know that there is one before them. */
async function ranked({ shop: { scope } }: Story): Promise<number> {
  const rows = await query(
    deps.db.manager,
    `SELECT 1 FROM conversions WHERE workspace_id = $1 AND event_type = 'order'
        AND (substring(credited_as FROM '#(\\d+)/'))::int > amount_cents`,
    [scope.workspaceId],
  );
  return rows.length;
}

it('a fact writes a hundred payments of its customer at once, and the rest follows', async () => {
  const story = await buildStory(deps, { recurring: true, salesFrom: 'both' });
  const { user: customerId, rivals: clickId } = story;
  await story.signUp();
  // Its amount is which payment of the customer it is.
  for (let n = 1; n <= count; n += 1) {
    const occurredAt = on(10 + n);
    await story.report({ customerId, clickId, eventType: 'order', amountCents: n, occurredAt });
  }
  expect(await ranked(story)).toBe(0);
  const earlier = checkoutCompleted({ reference: customerId, click: clickId, at: on(1) });
  const [event = ''] = await story.shop.receive(earlier);
  await story.shop.process(event);

  expect(await ranked(story)).toBe(99);
  await story.later();
  expect(await ranked(story)).toBe(count);
});
