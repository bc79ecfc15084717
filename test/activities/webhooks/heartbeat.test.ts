import { MockActivityEnvironment } from '@temporalio/testing';
import { createWebhookActivities } from '../../../activities/webhooks/activities';
import { openTestDeps, type TestDeps } from '../../support/app';
import { buildMember } from '../../support/build/accounts';
import { buildEndpoint } from '../../support/build/webhooks';

let deps: TestDeps;
beforeAll(async () => {
  deps = await openTestDeps();
});
afterAll(() => deps.close());

it('a turn of retries beats, so that the server does not take it for lost while it sends', async () => {
  const { workspaceId } = await buildMember(deps.db.manager);
  const { id: endpointId } = await buildEndpoint(deps, { workspaceId, mode: 'test' });
  const environment = new MockActivityEnvironment();
  let beats = 0;
  environment.on('heartbeat', () => {
    beats += 1;
  });
  const { runWebhookRetries } = createWebhookActivities(deps);
  const state = (await environment.run(runWebhookRetries, { endpointId })) as object;
  expect(state).toMatchObject({ endpointId, nextAttemptAt: null });
  expect(beats).toBeGreaterThanOrEqual(1);
});
