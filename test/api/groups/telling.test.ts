import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { openTermsShop, percent, type Member, type TermsShop } from '../../support/partners/groups';
import { relayOnce } from '../../support/workers/relay-once';
import { relayHandlers } from '../../../workers/relay/handlers';

const app = useApp();
const start = new Date('2026-03-01T09:00:00.000Z');
beforeEach(() => app.deps.clock.set(start));
afterEach(() => app.deps.clock.set(undefined));

const minutes = (count: number) => app.deps.clock.advance(count * 60_000);
const relay = () => relayOnce(app.deps, 'terms_edited', relayHandlers(app.deps).terms_edited);
const told = ({ partnerId }: Member) =>
  query<{ title: string; body: string }>(
    app.deps.db.manager,
    "SELECT title, body FROM notifications WHERE feed_id = $1 AND type = 'program.terms_changed' ORDER BY seq",
    [partnerId],
  );
const patch = (shop: TermsShop, body: object) => shop.api.patch(shop.path, body);

it('an edit is told once, ten minutes after the last, before and after in words (terms.md, Telling)', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ commission: percent(4_000) });
  const [one, inGold] = [await shop.partner(), await shop.partner()];
  await shop.api.patch(`${inGold.path}/group`, { groupId: gold.id });
  minutes(1);
  await patch(shop, { commission: percent(1_000) });
  minutes(9);
  await patch(shop, { commission: percent(1_500) });
  minutes(9);
  await relay();
  expect(await told(one)).toEqual([]);
  minutes(2);
  await relay();
  const [notice, ...more] = await told(one);
  expect(more).toEqual([]);
  expect(notice?.title).toContain('has changed its terms');
  expect(notice?.body).toContain('Until now: 20 % of each sale, not of renewals.');
  expect(notice?.body).toContain('From now on: 15 % of each sale, not of renewals.');
  // Nothing is another for who is in a group with terms of its own.
  expect(await told(inGold)).toEqual([]);
});

it('nothing is told of what was taken back, nor where the edit says so', async () => {
  const shop = await openTermsShop(app);
  const member = await shop.partner();
  await patch(shop, { commission: percent(1_000), notify: false });
  minutes(1);
  await patch(shop, { holdDays: 3 });
  await patch(shop, { holdDays: 30 });
  minutes(20);
  await relay();
  expect(await told(member)).toEqual([]);
});

it('partners are told at most once a day, of all that was edited until then', async () => {
  const shop = await openTermsShop(app);
  const member = await shop.partner();
  await patch(shop, { holdDays: 3 });
  minutes(11);
  await relay();
  expect(await told(member)).toHaveLength(1);
  const rules = [{ name: 'First', match: { paymentNumbers: { to: 1 } }, ...percent(5_000) }];
  await shop.api.put(`${shop.path}/commission-rules`, { rules });
  minutes(60);
  await relay();
  expect(await told(member)).toHaveLength(1);
  app.deps.clock.advance(24 * 3_600_000);
  await relay();
  const [, second] = await told(member);
  expect(second?.body).toContain("First: 50 % of each sale, for the customer's first payment.");
});
