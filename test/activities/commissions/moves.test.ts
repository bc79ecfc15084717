import {
  beginChange,
  withDecision,
  withHistory,
} from '../../../activities/commissions/commission-change';
import { writeChanges } from '../../../activities/commissions/write';
import { systemActor } from '../../../entities/rules/values/actor';
import type { Db } from '../../../entities/database/sql';
import { Commission } from '../../../entities/tables/commissions/commission.entity';
import { buildCommission } from '../../support/build/commissions';
import { useDatabase } from '../../support/data-source';
import { oneRow } from '../../support/rows';

const database = useDatabase();
let db: Db;

beforeAll(async () => {
  db = database.source.manager;
});

const now = new Date();
const by = { actor: systemActor, reason: null };

it('a change cannot make a move that the table does not have, whoever skips the refusals', async () => {
  const rejected = await buildCommission(db, { status: 'rejected' });
  const change = beginChange(rejected, { now });
  expect(() => withDecision(change, { ...by, decision: 'approve' })).toThrow('no move');
  expect(() => withDecision(change, { ...by, decision: 'hold_elapsed' })).toThrow('no move');

  const pending = beginChange(await buildCommission(db), { now });
  const payout = { from: 'pending', to: 'paid', trigger: 'payout', actor: systemActor } as const;
  expect(() => withHistory(pending, payout)).toThrow('no move');
});

it('of several commissions in one statement only those are moved that are as they were read', async () => {
  const [one, other] = [await buildCommission(db), await buildCommission(db)];
  const approve = (commission: Commission) =>
    withDecision(beginChange(commission, { now }), { ...by, decision: 'approve_override' });
  await writeChanges(db, [approve(one)]);

  const reject = (commission: Commission) =>
    withDecision(beginChange(commission, { now }), { ...by, decision: 'reject' });
  const { written } = await writeChanges(db, [reject(one), reject(other)]);

  expect([...written]).toEqual([other.id]);
  const statuses = [one, other].map(async ({ id }) => {
    return (await oneRow(db, Commission, { id })).status;
  });
  expect(await Promise.all(statuses)).toEqual(['approved', 'rejected']);
});
