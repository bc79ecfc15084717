import { cancelPayout, completePayout } from '../../../activities/payouts/payouts';
import { newId } from '../../../entities/ids';
import {
  payoutMoves,
  payoutStatuses,
  payoutTriggers,
} from '../../../entities/rules/payouts/status';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Scope } from '../../../entities/rules/values/mode';
import { Payout } from '../../../entities/tables/payouts/payout.entity';
import { buildCommission, buildPayout } from '../../support/build/commissions';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';

let database: TestDataSource;

beforeAll(async () => {
  database = await openTestDataSource();
});
afterAll(() => database.close());

const commands = { complete: completePayout, cancel: cancelPayout };

async function processingPayout() {
  const db = database.source.manager;
  const commission = await buildCommission(db, { status: 'approved' });
  const { id: payoutId, workspaceId, mode } = await buildPayout(db, [commission]);
  const statusNow = async () => (await db.findOneByOrFail(Payout, { id: payoutId })).status;
  const run = (trigger: keyof typeof commands, scope: Scope = { workspaceId, mode }) =>
    commands[trigger](db, { scope, actor: systemActor, now: new Date() }, { payoutId });
  return { db, payoutId, workspaceId, mode, statusNow, run };
}

const pairs = payoutStatuses.flatMap((from) =>
  payoutTriggers.map((trigger) => ({ from, trigger, to: payoutMoves[from][trigger]?.[0] })),
);

it.each(pairs)('a payout that is $from, by $trigger: $to', async ({ from, trigger, to }) => {
  const { db, payoutId, run, statusNow } = await processingPayout();
  await db.update(Payout, { id: payoutId }, { status: from });
  if (to === undefined) {
    await expect(run(trigger)).rejects.toMatchObject({ code: 'PAYOUT_NOT_PROCESSING' });
  } else {
    await run(trigger);
  }
  expect(await statusNow()).toBe(to ?? from);
});

it.each(payoutTriggers)("to %s another's payout finds none", async (trigger) => {
  const { run, mode, workspaceId, statusNow } = await processingPayout();
  const others: Scope[] = [
    { workspaceId: newId(), mode },
    { workspaceId, mode: mode === 'test' ? 'live' : 'test' },
  ];
  for (const scope of others) {
    await expect(run(trigger, scope)).rejects.toMatchObject({ code: 'PAYOUT_NOT_FOUND' });
  }
  expect(await statusNow()).toBe('processing');
});
