import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { asOwner } from '../../support/database';
import { callerOf } from '../../support/callers';
import { openTermsShop, type Member, type TermsShop } from '../../support/partners/groups';
import { settleStandings } from '../../support/partners/settle-standings';

const app = useApp();
const settle = () => settleStandings(app);

interface BonusAnswer {
  id: string;
  name: string;
  window: { from: string | null; to: string | null };
  reached: number;
}
interface Answer {
  bonuses: BonusAnswer[];
  code?: string;
}
interface Paid {
  id: string;
  status: string;
  commissionType: string;
  [field: string]: unknown;
}

const two = { name: 'Two sales', metric: 'conversions', atLeast: 2, amountCents: 10_000 };
const put = (shop: TermsShop, bonuses: object[], more: object = {}) =>
  shop.api.put<Answer>(`${shop.path}/bonuses`, { bonuses, ...more });
const read = async (shop: TermsShop) =>
  (await shop.api.get<Answer>(`${shop.path}/bonuses`)).body.bonuses;
const bonusesOf = async (shop: TermsShop, member: Member): Promise<Paid[]> => {
  const path = `${shop.path}/commissions?participantId=${member.id}`;
  const { data } = (await shop.api.get<{ data: Paid[] }>(path)).body;
  return data.filter(({ commissionType }) => commissionType === 'bonus');
};
const statusesOf = async (shop: TermsShop, member: Member) =>
  (await bonusesOf(shop, member)).map(({ status }) => status);
const refund = (shop: TermsShop, id: string) =>
  shop.api.post(`/api/v1/conversions/${id}/refunds`, { external_refund_id: newId() });
const sales = async (shop: TermsShop, member: Member, count: number) => {
  for (let n = 0; n < count; n += 1) await shop.sale(member, { customer_id: newId() });
};

it('who has reached it already is counted, confirmed, and paid; a group and a status are waited for', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold', holdDays: 3, autoApprove: false });
  const [inGold, outside, suspended] = [
    ...[await shop.partner(), await shop.partner(), await shop.partner()],
  ] as [Member, Member, Member];
  for (const member of [inGold, outside, suspended]) await sales(shop, member, 2);
  const move = (member: Member, groupId: string) =>
    shop.api.patch(`${member.path}/group`, { groupId });
  await move(inGold, gold.id);
  await move(suspended, gold.id);
  await shop.api.patch(`${suspended.path}/suspend`, { reason: 'why' });
  const ever = { ...two, groupIds: [gold.id], window: { from: null } };
  const refused = await put(shop, [ever], { expectedReached: 3 });
  expect([refused.status, refused.body.code]).toEqual([409, 'BONUS_REACHED_CHANGED']);
  expect(await read(shop)).toEqual([]);
  const done = await put(shop, [ever], { expectedReached: 1 });
  expect(done.body.bonuses).toMatchObject([{ reached: 1, window: { from: null, to: null } }]);
  await settle();
  expect(await bonusesOf(shop, inGold)).toMatchObject([
    { status: 'pending', terms: { groupName: 'Gold', holdDays: 3, autoApprove: false } },
  ]);
  expect(await read(shop)).toMatchObject([{ reached: 0 }]);
  expect([await bonusesOf(shop, outside), await bonusesOf(shop, suspended)]).toEqual([[], []]);
  await shop.api.patch(`${suspended.path}/reinstate`, {});
  await move(outside, gold.id);
  await settle();
  expect(await statusesOf(shop, suspended)).toEqual(['pending']);
  expect(await statusesOf(shop, outside)).toEqual(['pending']);
  // Nothing changed, so that nobody is counted.
  expect(
    (
      await put(
        shop,
        done.body.bonuses.map(({ reached: _r, ...bonus }) => bonus),
      )
    ).status,
  ).toBe(200);
  expect((await shop.api.delete(`${shop.path}/groups/${gold.id}`)).status).toBe(409);
});

it('counts by the time of the payment: from inclusive, to exclusive', async () => {
  const shop = await openTermsShop(app);
  const member = await shop.partner();
  const at = async (occurred_at: string) => shop.sale(member, { occurred_at });
  const day = (back: number) => new Date(Date.now() - back * 86_400_000).toISOString();
  const [from, to] = [day(3), day(1)];
  const window = { from, to };
  const [all, revenue, customers] = [
    { ...two, name: 'all', window },
    { ...two, name: 'revenue', metric: 'revenue', atLeast: 20_001, window },
    { ...two, name: 'customers', metric: 'customers', window },
  ];
  await put(shop, [all, revenue, customers]);
  await at(day(4));
  await at(from);
  await at(to);
  await settle();
  expect(await bonusesOf(shop, member)).toEqual([]);
  await at(day(2));
  await settle();
  const names = (await bonusesOf(shop, member)).map(
    ({ terms }) => (terms as { name: string }).name,
  );
  expect(names.toSorted()).toEqual(['all', 'customers']);
});

it('what imported sales alone have reached is taken as given, the next own sale counts on', async () => {
  const shop = await openTermsShop(app);
  const [given, near] = [await shop.partner(), await shop.partner()];
  await sales(shop, given, 2);
  await sales(shop, near, 1);
  await asOwner(
    app.deps.config.databaseUrl,
    "UPDATE conversions SET source = 'import', new_customer = false WHERE program_id = $1",
    [shop.program.id],
  );
  const silver = await shop.group();
  await shop.api.put(`${shop.path}/tiers`, {
    ...{ metric: 'customers', steps: [{ atLeast: 2, groupId: silver.id }] },
  });
  const ever = { ...two, metric: 'customers', window: { from: null } };
  expect((await put(shop, [ever])).body.bonuses).toMatchObject([{ reached: 0 }]);
  await sales(shop, given, 1);
  await sales(shop, near, 1);
  await settle();
  expect([await statusesOf(shop, given), await statusesOf(shop, near)]).toEqual([[], ['pending']]);
  const groupOf = async (member: Member) =>
    (await shop.api.get<{ groupId: string }>(member.path)).body.groupId;
  expect([await groupOf(given), await groupOf(near)]).toEqual([shop.program.id, silver.id]);
});

it('an archived programme pays no more, and pending ones go on', async () => {
  const shop = await openTermsShop(app, 'test', { holdDays: 14 });
  const [reaches, late] = [await shop.partner(), await shop.partner()];
  await put(shop, [two]);
  const sale = await shop.sale(reaches);
  await sales(shop, reaches, 1);
  await settle();
  await sales(shop, late, 2);
  await shop.api.post(`${shop.path}/archive`, {});
  await refund(shop, sale.id);
  await settle();
  expect(await statusesOf(shop, reaches)).toEqual(['rejected']);
  expect(await bonusesOf(shop, late)).toEqual([]);
  expect((await put(shop, [])).body.code).toBe('PROGRAM_ARCHIVED');
});

it('a partner hears that it is a bonus, and when it is lost', async () => {
  const shop = await openTermsShop(app, 'test', { holdDays: 14 });
  const member = await shop.partner();
  await put(shop, [two]);
  await sales(shop, member, 1);
  const last = await shop.sale(member);
  await settle();
  await refund(shop, last.id);
  await settle();
  await settle();
  const partner = await callerOf(app, { side: 'partner', id: member.partnerId }, 'test');
  const { body } = await partner.get<{ data: { title: string }[] }>(
    '/api/v1/partner/notifications',
  );
  const titles = body.data.map(({ title }) => title);
  expect(titles).toContain('You earned a bonus of USD 100.00');
  expect(titles).toContain('Your commission of USD 100.00 was rejected');
});

it('counts from its first PUT on where nothing else is said, in UTC', async () => {
  const shop = await openTermsShop(app);
  const [first] = (await put(shop, [two])).body.bonuses;
  const windowOf = async (window: object) =>
    (await put(shop, [{ ...two, id: first?.id, window }])).body.bonuses[0]?.window.from;
  expect(await windowOf({ from: null })).toBeNull();
  expect(await windowOf({ from: '2026-02-01T01:00:00+01:00' })).toBe('2026-02-01T00:00:00.000Z');
  expect(await windowOf({})).toBe(first?.window.from);
});
