import { cancelPayout, completePayout, markItem } from '../../../activities/payouts/end-payout';
import { newId } from '../../../entities/ids';
import {
  payoutItemMoves,
  payoutItemStatuses,
  payoutStatusOf,
  reportedStatuses,
} from '../../../entities/rules/payouts/status';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { PayoutItem } from '../../../entities/tables/payouts/payout-item.entity';
import { Payout } from '../../../entities/tables/payouts/payout.entity';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { useDatabase } from '../../support/data-source';
import { oneRow } from '../../support/rows';
import { update } from '../../../entities/database/update';

const database = useDatabase();

const commands = { complete: completePayout, cancel: cancelPayout };
const ends = ['complete', 'cancel'] as const;

async function processingPayout() {
  const db = database.source.manager;
  const commission = await buildCommission(db, { status: 'approved' });
  const { id: payoutId, workspaceId, mode, items } = await buildPayout(db, [commission]);
  const itemId = items[0]?.id ?? '';
  const now = async () => {
    const { status } = await oneRow(db, PayoutItem, { id: itemId });
    const payout = await oneRow(db, Payout, { id: payoutId });
    return { item: status, payout: payout.status };
  };
  const contextIn = (scope: Scope) => ({ scope, actor: systemActor, now: new Date() });
  const run = (trigger: keyof typeof commands, scope: Scope = { workspaceId, mode }) =>
    commands[trigger](db, contextIn(scope), { payoutId });
  const mark = (status: (typeof reportedStatuses)[number], scope: Scope = { workspaceId, mode }) =>
    markItem(db, contextIn(scope), { payoutId, itemId, status });
  return { db, payoutId, itemId, workspaceId, mode, now, run, mark };
}

const endings = payoutItemStatuses.flatMap((from) =>
  ends.map((trigger) => ({ from, trigger, to: payoutItemMoves[from][trigger]?.[0] })),
);

it.each(endings)('an item that is $from, by $trigger: $to', async ({ from, trigger, to }) => {
  const { db, itemId, run, now } = await processingPayout();
  await update(db, PayoutItem, { where: { id: itemId }, set: { status: from } });
  if (to === undefined) {
    await expect(run(trigger)).rejects.toMatchObject({ code: 'PAYOUT_NOT_PROCESSING' });
    return;
  }
  await run(trigger);
  expect(await now()).toEqual({ item: to, payout: payoutStatusOf([to]) });
});

const reports = payoutItemStatuses.flatMap((from) =>
  reportedStatuses
    .filter((to) => to !== from)
    .map((to) => ({ from, to, ok: payoutItemMoves[from].report?.includes(to) ?? false })),
);

it.each(reports)('an item that is $from, reported as $to: $ok', async ({ from, to, ok }) => {
  const { db, itemId, mark, now } = await processingPayout();
  await update(db, PayoutItem, { where: { id: itemId }, set: { status: from } });
  if (ok) {
    await mark(to);
    expect(await now()).toEqual({ item: to, payout: payoutStatusOf([to]) });
  } else {
    // What a provider has on its way is the provider's to end.
    const code = from === 'sending' ? 'PAYOUT_ITEM_SENDING' : 'PAYOUT_ITEM_INVALID_TRANSITION';
    await expect(mark(to)).rejects.toMatchObject({ code });
  }
});

it("whoever ends or marks another's payout finds none", async () => {
  const { run, mark, mode, workspaceId, now } = await processingPayout();
  const others: Scope[] = [
    { workspaceId: newId(), mode },
    { workspaceId, mode: mode === 'test' ? 'live' : 'test' },
  ];
  for (const scope of others) {
    for (const trigger of ends) {
      await expect(run(trigger, scope)).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' });
    }
    await expect(mark('paid', scope)).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' });
  }
  expect(await now()).toEqual({ item: 'ready', payout: 'processing' });
});
