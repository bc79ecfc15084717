import { updateEndpoint } from '../../../activities/webhooks/endpoints';
import { countFrom, execute } from '../../../entities/database/sql';
import { systemActor } from '../../../entities/rules/values/actor';
import { useDeps } from '../../support/app';
import { buildProgram } from '../../support/build/programs';
import { buildEndpoint } from '../../support/build/webhooks';

const deps = useDeps();

it('an endpoint that is activated at once gets nothing of what it was not sent before', async () => {
  const db = deps.db.manager;
  const { workspaceId, mode } = await buildProgram(db);
  const scope = { workspaceId, mode };
  const { id: endpointId } = await buildEndpoint(deps, scope);
  await execute(
    db,
    `INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
            status, next_attempt_at, created_at)
     SELECT gen_random_uuid(), $1, $2, $3, gen_random_uuid(), 'commission.created', 'pending',
            now() + interval '1 hour', now()
       FROM generate_series(1, 10500)`,
    [workspaceId, mode, endpointId],
  );
  const context = { scope, actor: systemActor, now: new Date() };
  await updateEndpoint(db, context, { endpointId, active: false });
  await updateEndpoint(db, context, { endpointId, active: true });
  const open = `webhook_deliveries WHERE endpoint_id = $1 AND status IN ('pending', 'retrying')`;
  expect(await countFrom(db, open, [endpointId])).toBe(0);
});
