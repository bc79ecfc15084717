import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createCommissionActivities } from '../../../activities/commissions/activities';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildCommission } from '../../support/build/commissions';

let deps: TestDeps;

beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

const attempt = (number: number, commissionId: string, reason = 'a test order') => {
  const logger = new DefaultLogger('ERROR');
  const environment = new MockActivityEnvironment({ attempt: number }, { logger });
  const { decideAsOperator } = createCommissionActivities(deps);
  return environment.run(decideAsOperator, {
    commissionId,
    decision: 'reject' as const,
    reason,
    operator: null,
  });
};

it("an operator's decision whose answer was lost is found by the next attempt", async () => {
  const { id } = await buildCommission(deps.db.manager);
  expect(await attempt(1, id)).toMatchObject({ status: 'rejected' });

  expect(await attempt(2, id)).toMatchObject({ status: 'rejected' });
  await expect(attempt(1, id)).rejects.toMatchObject({ code: 'COMMISSION_TERMINAL' });
  await expect(attempt(2, id, 'another')).rejects.toMatchObject({ code: 'COMMISSION_TERMINAL' });
});
