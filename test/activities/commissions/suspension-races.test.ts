import { advanceCommission } from '../../../activities/commissions/advance';
import {
  beginChange,
  withEvent,
  withFields,
} from '../../../activities/commissions/commission-change';
import { writeChanges } from '../../../activities/commissions/write';
import type { Db } from '../../../entities/database/sql';
import { buildCommission } from '../../support/build/commissions';
import { openTestDataSource, type TestDataSource } from '../../support/data-source';

let database: TestDataSource;
let db: Db;

beforeAll(async () => {
  database = await openTestDataSource();
  db = database.source.manager;
});
afterAll(() => database.close());

it('a flag that was written just after the partner was reinstated goes by itself', async () => {
  const commission = await buildCommission(db, { createdAt: new Date('2026-01-01T00:00:00Z') });
  const flag = withFields(beginChange(commission, new Date()), {
    holdElapsed: true,
    reviewReasons: ['PARTNER_SUSPENDED'],
  });
  await writeChanges(db, [{ ...withEvent(flag, 'commission.updated'), signalsLifecycle: true }]);

  expect(
    await advanceCommission(db, { now: new Date() }, { commissionId: commission.id }),
  ).toMatchObject({
    status: 'approved',
    reviewReasons: [],
  });
});
