import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { callerOf } from '../../support/callers';
import { openTermsShop, percent, type Member, type TermsShop } from '../../support/partners/groups';
import { relayOnce } from '../../support/workers/relay-once';
import { relayHandlers } from '../../../workers/relay/handlers';

const app = useApp();

/** Events lead to partners to look at, those to moves. */
async function settle(): Promise<void> {
  const handlers = relayHandlers(app.deps);
  await relayOnce(app.deps, 'event_notices', handlers.event_notices);
  for (let turn = 0; turn < 3; turn += 1) await relayOnce(app.deps, 'standing', handlers.standing);
}

const put = (shop: TermsShop, body: Record<string, unknown>) =>
  shop.api.put<{ details: { field: string }[] }>(`${shop.path}/tiers`, body);
const groupOf = async (shop: TermsShop, member: Member) =>
  (await shop.api.get<{ groupName: string }>(member.path)).body.groupName;
const customer = () => ({ customer_id: newId() });

it('a partner is in the group of the highest step that they reach, for what comes later (terms.md, Tiers)', async () => {
  const shop = await openTermsShop(app);
  const silver = await shop.group({ name: 'Silver', commission: percent(2_500) });
  const gold = await shop.group({ name: 'Gold', commission: percent(3_000) });
  const steps = [
    { atLeast: 2, groupId: silver.id },
    { atLeast: 3, groupId: gold.id },
  ];
  expect((await put(shop, { metric: 'customers', steps })).body).toEqual({
    ...{ metric: 'customers', window: 'lifetime', demote: false, steps },
  });
  const member = await shop.partner();
  await shop.sale(member, customer());
  await settle();
  expect(await groupOf(shop, member)).toBe('Default');
  const partner = await callerOf(app, { side: 'partner', id: member.partnerId }, 'test');
  const own = await partner.get(`/api/v1/partner/programs/${shop.program.id}`);
  expect(own.body).toMatchObject({
    tier: {
      ...{ metric: 'customers', window: 'lifetime', current: 1 },
      next: { groupName: 'Silver', atLeast: 2 },
    },
  });
  const second = await shop.sale(member, customer());
  await settle();
  expect(await groupOf(shop, member)).toBe('Silver');
  // A sale that comes back afterwards moves nobody down.
  const refund = { external_refund_id: newId() };
  await shop.api.post(`/api/v1/conversions/${second.id}/refunds`, refund);
  await settle();
  expect(await groupOf(shop, member)).toBe('Silver');
  const third = await shop.sale(member, customer());
  expect(third.commission?.amount_cents).toBe(2_500);
  await settle();
  // Two customers count: the second's sale came back.
  expect(await groupOf(shop, member)).toBe('Silver');
  await shop.sale(member, customer());
  await settle();
  expect(await groupOf(shop, member)).toBe('Gold');
  const history = await shop.api.get<{ data: { source: string }[] }>(`${member.path}/groups`);
  expect(history.body.data.map(({ source }) => source)).toEqual(['tier', 'tier', 'start']);
});

it('a step acts once: a move by hand stays, whatever is sold, and two workers move once', async () => {
  const shop = await openTermsShop(app);
  const silver = await shop.group({ name: 'Silver' });
  const member = await shop.partner();
  await shop.sale(member);
  await shop.sale(member);
  await put(shop, { metric: 'conversions', steps: [{ atLeast: 2, groupId: silver.id }] });
  await Promise.all([settle(), settle()]);
  expect(await groupOf(shop, member)).toBe('Silver');
  await shop.api.patch(`${member.path}/group`, { groupId: shop.program.id });
  await shop.sale(member);
  await settle();
  expect(await groupOf(shop, member)).toBe('Default');
  const moves = await query(
    app.deps.db.manager,
    "SELECT 1 FROM events WHERE object_id = $1 AND type = 'participant.moved'",
    [member.id],
  );
  expect(moves).toHaveLength(2);
  expect((await shop.api.delete(`${shop.path}/groups/${silver.id}`)).status).toBe(409);
});

it('refuses steps that do not rise, other windows, and groups of nobody', async () => {
  const shop = await openTermsShop(app);
  const silver = await shop.group();
  const fieldsOf = async (body: Record<string, unknown>) => {
    const answer = await put(shop, { metric: 'revenue', steps: [], ...body });
    return [answer.status, ...(answer.body.details ?? []).map(({ field }) => field)];
  };
  const step = (atLeast: number, groupId: string) => ({ atLeast, groupId });
  expect(await fieldsOf({ window: 'year' })).toEqual([400, 'window']);
  expect(await fieldsOf({ demote: true })).toEqual([400, 'demote']);
  expect(await fieldsOf({ steps: [step(1, shop.program.id)] })).toEqual([400, 'steps[0].groupId']);
  expect(await fieldsOf({ steps: [step(1, newId())] })).toEqual([400, 'steps[0].groupId']);
  const twice = [step(2, silver.id), step(2, silver.id)];
  expect(await fieldsOf({ steps: twice })).toEqual([400, 'steps[1].atLeast', 'steps[1].groupId']);
  expect((await shop.api.get(`${shop.path}/tiers`)).body).toEqual({
    ...{ metric: 'customers', window: 'lifetime', demote: false, steps: [] },
  });
});
