import { query, type Db } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { codeOf } from '../../support/api-client';
import { useApp } from '../../support/app';
import { callerOf } from '../../support/callers';
import { openTermsShop, percent } from '../../support/partners/groups';

const app = useApp();
let db: Db;

beforeAll(() => {
  db = app.deps.db.manager;
});

it('a move holds for payments that arrive later, and changes nothing that was earned (terms.md, Which terms hold)', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold', commission: percent(4_000), holdDays: 2 });
  const member = await shop.partner();
  const before = await shop.sale(member);
  const moved = await shop.api.patch(`${member.path}/group`, {
    groupId: gold.id,
    reason: 'Agreed by phone',
  });
  expect(moved.body).toMatchObject({ groupId: gold.id, groupName: 'Gold' });
  const after = await shop.sale(member);
  expect(await shop.commissionOf(before)).toMatchObject({
    amountCents: 2_000,
    terms: {
      source: 'program',
      name: null,
      rule: null,
      groupId: shop.program.id,
      groupName: 'Default',
      holdDays: 30,
    },
  });
  expect(await shop.commissionOf(after)).toMatchObject({
    amountCents: 4_000,
    terms: {
      source: 'group',
      name: 'Gold',
      rule: null,
      groupId: gold.id,
      groupName: 'Gold',
      holdDays: 2,
    },
  });
});

it('a rule goes before every group, and each field is inherited by itself', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold', commission: percent(4_000), autoApprove: false });
  const member = await shop.partner();
  await shop.api.patch(`${member.path}/group`, { groupId: gold.id });
  const rules = [
    { name: 'Big', match: { minAmountCents: 50_000 }, ...percent(1_000), holdDays: 9 },
  ];
  await shop.api.put(`${shop.path}/commission-rules`, { rules });
  const big = await shop.commissionOf(await shop.sale(member, { amount_cents: 50_000 }));
  expect(big).toMatchObject({
    amountCents: 5_000,
    terms: { source: 'rule', name: 'Big', rule: 'Big', holdDays: 9, autoApprove: false },
  });
  const small = await shop.commissionOf(await shop.sale(member));
  expect(small).toMatchObject({ amountCents: 4_000, terms: { holdDays: 30, autoApprove: false } });
});

it("the group's own recurring says whether a renewal earns", async () => {
  const shop = await openTermsShop(app, 'test', { recurring: true, recurringMonths: null });
  const once = await shop.group({ commission: percent(5_000) });
  const member = await shop.partner();
  const customer_id = newId();
  await shop.sale(member, { customer_id });
  const renewal = () =>
    shop.sale(member, { customer_id, promo_code: undefined, event_type: 'renewal' });
  expect((await renewal()).commission?.amount_cents).toBe(2_000);
  await shop.api.patch(`${member.path}/group`, { groupId: once.id });
  expect(await renewal()).toMatchObject({ attributed: true, commission: null });
});

it('a move leaves audit, event, notice and a mail to whoever is approved', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group({ name: 'Gold', commission: percent(4_000), holdDays: 0 });
  const member = await shop.partner();
  const there = { groupId: gold.id };
  await shop.api.patch(`${member.path}/group`, { ...there, reason: 'Because' });
  // Where they are nothing happens.
  expect((await shop.api.patch(`${member.path}/group`, there)).status).toBe(200);
  const events = await query<{ type: string; object: object }>(
    db,
    'SELECT type, object FROM events WHERE object_id = $1',
    [member.id],
  );
  expect(events).toMatchObject([
    {
      type: 'participant.moved',
      object: {
        id: member.id,
        group_id: gold.id,
        group_name: 'Gold',
        from_group_id: shop.program.id,
      },
    },
  ]);
  const audit = await query<{ action: string }>(
    db,
    'SELECT action FROM audit_log WHERE target_id = $1',
    [member.id],
  );
  expect(audit).toEqual([{ action: 'participant.moved' }]);
  const [mail] = await query<{ type: string; params: { terms: string[] } }>(
    db,
    'SELECT type, params FROM mails WHERE account_id = $1',
    [member.partnerId],
  );
  expect(mail?.type).toBe('participant.moved');
  expect(mail?.params.terms).toEqual([
    '40 % of each sale, not of renewals',
    'Nothing is held back',
  ]);
  const partner = await callerOf(app, { side: 'partner', id: member.partnerId }, 'test');
  const feed = await partner.get<{ data: { type: string; title: string }[] }>(
    '/api/v1/partner/notifications',
  );
  expect(feed.body.data.map(({ type }) => type)).toEqual(['participant.moved']);
  const terms = await partner.get(`/api/v1/partner/programs/${shop.program.id}`);
  expect(terms.body).toMatchObject({
    group: { name: 'Gold' },
    commission: { rateBps: 4_000 },
    holdDays: 0,
  });
});

it('many are moved at once, each by itself', async () => {
  const shop = await openTermsShop(app);
  const gold = await shop.group();
  const [one, two] = [await shop.partner(), await shop.partner()];
  await query(db, 'UPDATE participants SET erased_at = now() WHERE id = $1', [two.id]);
  const unknown = newId();
  const move = (participantIds: string[]) =>
    shop.api.post<{ results: object[] }>(`${shop.path}/partners/move`, {
      participantIds,
      groupId: gold.id,
    });
  const some = await move([unknown, two.id, one.id]);
  expect(some.status).toBe(207);
  expect(some.body).toMatchObject({
    succeeded: 1,
    failed: 2,
    results: [
      { participantId: unknown, ok: false, code: 'PARTICIPANT_NOT_FOUND' },
      { participantId: two.id, ok: false, code: 'PARTICIPANT_ERASED' },
      { participantId: one.id, ok: true, status: 'approved' },
    ],
  });
  const none = await move([unknown]);
  expect(codeOf(none)).toEqual([422, 'BULK_ALL_FAILED']);
  expect(none.body.results).toHaveLength(1);
  expect((await move([one.id])).status).toBe(200);
  const moved = [409, 'PARTICIPANT_ERASED'];
  expect(codeOf(await shop.api.patch(`${two.path}/group`, { groupId: gold.id }))).toEqual(moved);
});

it('moves at once follow each other: one history, each from where the last led', async () => {
  const shop = await openTermsShop(app);
  const groups = [await shop.group(), await shop.group(), await shop.group()];
  const member = await shop.partner();
  const answers = await Promise.all(
    groups.map(({ id }) => shop.api.patch(`${member.path}/group`, { groupId: id })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const history = await shop.api.get<{
    data: { groupId: string; from: string; until: string | null }[];
  }>(`${member.path}/groups`);
  const { data } = history.body;
  expect(data).toHaveLength(4);
  expect(data[0]?.until).toBeNull();
  for (const [index, { from }] of data.slice(0, -1).entries()) {
    expect(data[index + 1]?.until).toBe(from);
  }
  const events = await query<{ object: { group_id: string; from_group_id: string } }>(
    db,
    "SELECT object FROM events WHERE object_id = $1 AND type = 'participant.moved' ORDER BY seq",
    [member.id],
  );
  const oldestFirst = data.toReversed().map(({ groupId }) => groupId);
  expect(events.map(({ object }) => object.from_group_id)).toEqual(oldestFirst.slice(0, -1));
  expect(events.map(({ object }) => object.group_id)).toEqual(oldestFirst.slice(1));
});
