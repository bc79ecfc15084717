import fc from 'fast-check';
import { systemCause } from '../../../activities/journal/cause';
import { actOnStanding } from '../../../activities/standings/act';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { openTermsShop, type Member, type TermsShop } from '../../support/partners/groups';

const app = useApp();

type Step =
  | { kind: 'sale' }
  | { kind: 'refund'; which: number }
  | { kind: 'move'; toGold: boolean }
  | { kind: 'edit'; atLeast: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('sale' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('refund' as const), which: fc.nat(9) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), toGold: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      atLeast: fc.integer({ min: 1, max: 3 }),
    }),
  },
);

/** Two workers act on a partner's standing at once. */
async function look({ program }: TermsShop, { id: participantId }: Member): Promise<void> {
  const { id: programId, workspaceId, mode } = program;
  const context = { ...systemCause(app.deps.clock.now()), scope: { workspaceId, mode } };
  const once = () => actOnStanding(app.deps.db.manager, context, { programId, participantId });
  await Promise.all([once(), once()]);
}

function stored({ id }: Member): Promise<{ status: string; owed: number; ledger: number }[]> {
  return query(
    app.deps.db.manager,
    `SELECT c.status, c.owed_cents AS owed,
            (SELECT sum(e.amount_cents) FROM ledger_entries AS e WHERE e.commission_id = c.id)::bigint
              AS ledger
       FROM commissions AS c WHERE c.participant_id = $1 AND c.commission_type = 'bonus'`,
    [id],
  );
}

it('any sales, refunds, moves and edits, acted on by two workers at once, end in what a shop would say by hand', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (story) => {
      const shop = await openTermsShop(app, 'test', { holdDays: 14 });
      const gold = await shop.group({ name: 'Gold' });
      const member = await shop.partner();
      const live: string[] = [];
      const by = { inGold: false, atLeast: 2, pinned: null as number | null };
      const isReached = () => by.inGold && by.pinned === null && live.length >= by.atLeast;
      let bonusId: string | undefined;
      const put = async () => {
        const bonus = {
          ...{ name: 'Some', metric: 'conversions', atLeast: by.atLeast, amountCents: 700 },
          ...{ id: bonusId, groupIds: [gold.id], window: { from: null } },
        };
        const expected = isReached() ? { expectedReached: 1 } : {};
        const answer = await shop.api.put<{ bonuses: { id: string; reached: number }[] }>(
          `${shop.path}/bonuses`,
          { bonuses: [bonus], ...expected },
        );
        const [made] = answer.body.bonuses;
        expect([answer.status, made?.reached]).toEqual([200, isReached() ? 1 : 0]);
        bonusId = made?.id;
      };
      await put();
      for (const one of story) {
        if (one.kind === 'sale') {
          live.push((await shop.sale(member)).id);
        } else if (one.kind === 'refund') {
          const [id] = live.splice(one.which % Math.max(1, live.length), 1);
          if (id === undefined) continue;
          const refund = { external_refund_id: newId() };
          await shop.api.post(`/api/v1/conversions/${id}/refunds`, refund);
        } else if (one.kind === 'move') {
          by.inGold = one.toGold;
          const groupId = one.toGold ? gold.id : shop.program.id;
          await shop.api.patch(`${member.path}/group`, { groupId });
        } else {
          by.atLeast = one.atLeast;
          await put();
        }
        if (isReached()) by.pinned = by.atLeast;
        await look(shop, member);
      }
      const isDue = by.pinned !== null && live.length >= by.pinned;
      const cents = isDue ? 700 : 0;
      const status = isDue ? 'pending' : 'rejected';
      const expected = by.pinned === null ? [] : [{ status, owed: cents, ledger: cents }];
      expect(await stored(member)).toEqual(expected);
    }),
    { numRuns: 10 },
  );
});

it('many workers that act at once pay once, and move once', async () => {
  const shop = await openTermsShop(app);
  const member = await shop.partner();
  const silver = await shop.group();
  const bonuses = [{ name: 'One', metric: 'conversions', atLeast: 1, amountCents: 700 }];
  await shop.api.put(`${shop.path}/bonuses`, { bonuses });
  const steps = [{ atLeast: 1, groupId: silver.id }];
  await shop.api.put(`${shop.path}/tiers`, { metric: 'conversions', steps });
  await shop.sale(member);
  await Promise.all([look(shop, member), look(shop, member), look(shop, member)]);
  expect(await stored(member)).toEqual([{ status: 'pending', owed: 700, ledger: 700 }]);
  const moves = await query(
    app.deps.db.manager,
    "SELECT 1 FROM events WHERE object_id = $1 AND type = 'participant.moved'",
    [member.id],
  );
  expect(moves).toHaveLength(1);
});
