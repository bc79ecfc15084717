import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { callerOf } from '../../support/callers';
import { openTermsShop, type Member, type TermsShop } from '../../support/partners/groups';
import { relayOnce } from '../../support/workers/relay-once';
import { relayHandlers } from '../../../workers/relay/handlers';

const app = useApp();

interface Bonus {
  id: string;
  reached: number;
  window: { from: string | null; to: string | null };
}
interface Bonuses {
  bonuses: Bonus[];
  code: string;
  details: { field: string }[];
}
interface Commission {
  id: string;
  status: string;
  commissionType: string;
  amountCents: number;
  holdUntil: string | null;
  history: { from: string | null; to: string; trigger: string }[];
  ledger: { type: string; amountCents: number }[];
}

/** Events lead to partners to look at, those to bonuses. */
async function settle(): Promise<void> {
  const handlers = relayHandlers(app.deps);
  await relayOnce(app.deps, 'event_notices', handlers.event_notices);
  for (let turn = 0; turn < 3; turn += 1) await relayOnce(app.deps, 'standing', handlers.standing);
}

const bonus = (fields: Record<string, unknown> = {}) => ({
  name: 'First two',
  metric: 'customers',
  atLeast: 2,
  amountCents: 10_000,
  ...fields,
});
const put = (shop: TermsShop, bonuses: object[], expectedReached?: number) =>
  shop.api.put<Bonuses>(`${shop.path}/bonuses`, {
    bonuses,
    ...(expectedReached === undefined ? {} : { expectedReached }),
  });
const customer = () => ({ customer_id: newId() });

async function bonusesPaid(shop: TermsShop, member: Member): Promise<Commission[]> {
  const list = await shop.api.get<{ data: Commission[] }>(
    `${shop.path}/commissions?participantId=${member.id}`,
  );
  const own = list.body.data.filter(({ commissionType }) => commissionType === 'bonus');
  const read = own.map(({ id }) => shop.api.get<Commission>(`${shop.path}/commissions/${id}`));
  return (await Promise.all(read)).map(({ body }) => body);
}
const movesOf = ({ history }: Commission) => history.map(({ to, trigger }) => `${trigger} ${to}`);
const refund = (shop: TermsShop, { id }: { id: string }) =>
  shop.api.post(`/api/v1/conversions/${id}/refunds`, { external_refund_id: newId() });

it('a bonus is paid once, lost while it is pending, and given again (terms.md, Bonuses)', async () => {
  const shop = await openTermsShop(app);
  const made = await put(shop, [bonus({ holdDays: 5 })]);
  expect(made.status).toBe(200);
  expect(made.body.bonuses).toEqual([
    {
      ...bonus({ holdDays: 5, autoApprove: null, groupIds: null, currency: 'usd', reached: 0 }),
      ...{ id: expect.any(String) as string, window: { from: expect.any(String), to: null } },
    },
  ]);
  const member = await shop.partner();
  await shop.sale(member, customer());
  await settle();
  expect(await bonusesPaid(shop, member)).toEqual([]);
  const second = await shop.sale(member, customer());
  await Promise.all([settle(), settle()]);
  await settle();
  const [paid, ...more] = await bonusesPaid(shop, member);
  expect(more).toEqual([]);
  expect(paid).toMatchObject({
    ...{ commissionType: 'bonus', conversionId: null, conversionAmountCents: 0, status: 'pending' },
    ...{ amountCents: 10_000, currency: 'usd', externalTransactionId: null },
    terms: { source: 'program', name: 'First two', type: 'flat', amountCents: 10_000, holdDays: 5 },
    ledger: [{ type: 'accrual', amountCents: 10_000 }],
  });
  const partner = await callerOf(app, { side: 'partner', id: member.partnerId }, 'test');
  const own = () => partner.get(`/api/v1/partner/programs/${shop.program.id}`);
  const told = { name: 'First two', metric: 'customers', atLeast: 2, until: null };
  const money = { amountCents: 10_000, currency: 'usd' };
  expect((await own()).body['bonuses']).toEqual([{ ...told, ...money, current: 2, earned: true }]);

  await refund(shop, second);
  await settle();
  const [lost] = await bonusesPaid(shop, member);
  expect(movesOf(lost as Commission)).toEqual(['created pending', 'bonus_lost rejected']);
  expect((await own()).body['bonuses']).toMatchObject([{ current: 1, earned: false }]);

  await shop.sale(member, customer());
  await settle();
  const [again] = await bonusesPaid(shop, member);
  expect(again?.id).toBe(paid?.id);
  expect(movesOf(again as Commission).slice(-1)).toEqual(['bonus pending']);
  expect(again?.ledger.map(({ type, amountCents }) => [type, amountCents])).toEqual([
    ['accrual', 10_000],
    ['reversal', -10_000],
    ['reversal', 10_000],
  ]);
  expect(String(again?.holdUntil) >= String(paid?.holdUntil)).toBe(true);

  // What a person rejects stays, whatever is sold.
  const reject = `${shop.path}/commissions/${paid?.id ?? ''}/reject`;
  expect((await shop.api.patch(reject, { reason: 'not ours' })).status).toBe(200);
  await shop.sale(member, customer());
  await settle();
  expect((await bonusesPaid(shop, member)).map(({ status }) => status)).toEqual(['rejected']);
});

it('an edit and a deletion take nothing back; a pending one goes on by its pinned figure', async () => {
  const shop = await openTermsShop(app);
  const [first] = (await put(shop, [bonus()])).body.bonuses;
  const member = await shop.partner();
  await shop.sale(member, customer());
  const second = await shop.sale(member, customer());
  await settle();
  const changed = await put(shop, [bonus({ id: first?.id, atLeast: 5, amountCents: 1 })]);
  expect(changed.body.bonuses[0]).toMatchObject({ id: first?.id, window: first?.window });
  await settle();
  expect(await bonusesPaid(shop, member)).toMatchObject([
    { status: 'pending', amountCents: 10_000 },
  ]);
  await put(shop, []);
  await refund(shop, second);
  await settle();
  expect(await bonusesPaid(shop, member)).toMatchObject([{ status: 'rejected' }]);
  expect((await put(shop, [bonus({ id: first?.id })])).body.details).toMatchObject([
    { field: 'bonuses[0].id' },
  ]);
});

it('whoever has reached a new one already is paid when their number was expected', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold' });
  const [one, other] = [await shop.partner(), await shop.partner()];
  for (const member of [one, other]) await shop.sale(member);
  await shop.api.patch(`${one.path}/group`, { groupId: gold.id });
  const given = [
    bonus({ metric: 'conversions', atLeast: 1, window: { from: null } }),
    bonus({
      name: 'Gold',
      metric: 'revenue',
      atLeast: 10_000,
      window: { from: null },
      groupIds: [gold.id],
    }),
  ];
  for (const expected of [undefined, 0, 2, 4]) {
    const refused = await put(shop, given, expected);
    expect([refused.status, refused.body.code]).toEqual([409, 'BONUS_REACHED_CHANGED']);
  }
  expect((await shop.api.get<Bonuses>(`${shop.path}/bonuses`)).body.bonuses).toEqual([]);
  const made = await put(shop, given, 3);
  expect(made.body.bonuses.map(({ reached }) => reached)).toEqual([2, 1]);
  await settle();
  expect(await bonusesPaid(shop, one)).toHaveLength(2);
  expect(await bonusesPaid(shop, other)).toHaveLength(1);
  const after = await shop.api.get<Bonuses>(`${shop.path}/bonuses`);
  expect(after.body.bonuses.map(({ reached }) => reached)).toEqual([0, 0]);
  // The group is named by a bonus, and nobody can be sent to nowhere.
  await shop.api.patch(`${one.path}/group`, { groupId: shop.program.id });
  const inUse = await shop.api.delete(`${shop.path}/groups/${gold.id}`);
  expect(inUse.status).toBe(409);
});

it('a window counts by when payments were made, whenever they are told', async () => {
  const shop = await openTermsShop(app);
  const at = (day: string) => ({ occurred_at: `${day}T12:00:00.000Z` });
  const window = { from: '2026-03-01T00:00:00.000Z', to: '2026-04-01T00:00:00.000Z' };
  await put(shop, [bonus({ metric: 'conversions', window, autoApprove: true, holdDays: 0 })]);
  const member = await shop.partner();
  for (const day of ['2026-02-28', '2026-03-01', '2026-04-01']) await shop.sale(member, at(day));
  await settle();
  expect(await bonusesPaid(shop, member)).toEqual([]);
  await shop.sale(member, at('2026-03-31'));
  await settle();
  const [paid] = await bonusesPaid(shop, member);
  expect(movesOf(paid as Commission)).toEqual(['created pending', 'hold_elapsed approved']);
});

it('refuses unknown groups, windows that end first, and too much; a suspended partner earns nothing', async () => {
  const shop = await openTermsShop(app);
  const fieldsOf = async (fields: Record<string, unknown>) => {
    const answer = await put(shop, [bonus(fields)]);
    return [answer.status, ...(answer.body.details ?? []).map(({ field }) => field)];
  };
  expect(await fieldsOf({ groupIds: [newId()] })).toEqual([400, 'bonuses[0].groupIds']);
  expect(await fieldsOf({ groupIds: [] })).toEqual([400, 'bonuses[0].groupIds']);
  expect(await fieldsOf({ amountCents: 1_000_000_001 })).toEqual([400, 'bonuses[0].amountCents']);
  expect(await fieldsOf({ atLeast: 0 })).toEqual([400, 'bonuses[0].atLeast']);
  const window = { from: '2026-03-01T00:00:00Z', to: '2026-03-01T00:00:00Z' };
  expect(await fieldsOf({ window })).toEqual([400, 'bonuses[0].window.to']);
  const many = Array.from({ length: 21 }, () => bonus());
  expect((await put(shop, many)).status).toBe(400);

  await put(shop, [bonus({ metric: 'conversions', atLeast: 1 })]);
  const member = await shop.partner();
  await shop.sale(member);
  expect((await shop.api.patch(`${member.path}/suspend`, { reason: 'a look' })).status).toBe(200);
  await settle();
  expect(await bonusesPaid(shop, member)).toEqual([]);
  expect((await shop.api.patch(`${member.path}/reinstate`, {})).status).toBe(200);
  await settle();
  expect(await bonusesPaid(shop, member)).toHaveLength(1);
  const rows = await query(
    app.deps.db.manager,
    'SELECT 1 FROM earned_bonuses WHERE participant_id = $1',
    [member.id],
  );
  expect(rows).toHaveLength(1);
});
