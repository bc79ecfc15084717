import type { Client } from 'pg';
import { startTestApp, type TestApp } from '../../support/app';
import type { ApiResponse } from '../../support/api-client';
import { buildMember, signIn } from '../../support/build/accounts';
import { buildParticipant, buildProgram } from '../../support/build/programs';
import { connectAsOwner } from '../../support/database';

let app: TestApp;
let holder: Client;

beforeAll(async () => {
  app = await startTestApp();
  holder = await connectAsOwner(app.deps.config.databaseUrl);
});
afterAll(async () => {
  await holder.end();
  await app.close();
});

async function buildExporter() {
  const owner = await buildMember(app.deps.db.manager);
  const { workspaceId } = owner;
  const program = await buildProgram(app.deps.db.manager, { workspaceId });
  const { id } = await buildParticipant(app.deps.db.manager, { program });
  const caller = app.client.as((await signIn(app.deps, owner)).accessToken, 'live');
  return {
    export: (headers = {}): Promise<ApiResponse> =>
      caller.post(`/api/v1/programs/${program.id}/partners/${id}/export`, undefined, { headers }),
    list: (): Promise<ApiResponse> => caller.get('/api/v1/programs'),
  };
}

it.each([
  ['', {}],
  [' with an Idempotency-Key', { 'Idempotency-Key': 'one' }],
])('JSON exports%s that wait hold nothing that others wait for', async (_what, headers) => {
  const [tea, coffee, other] = [
    await buildExporter(),
    await buildExporter(),
    await buildExporter(),
  ];
  // One export of each account meets the lock, the others wait for its end.
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE payouts IN ACCESS EXCLUSIVE MODE');
  let isOneAnswered = false;
  const exports = [tea, coffee].flatMap((exporter) =>
    Array.from({ length: 4 }, () =>
      exporter.export(headers).finally(() => {
        isOneAnswered = true;
      }),
    ),
  );
  // All of them have begun by the time that a request of somebody new is answered twice.
  await other.list();
  const { status } = await other.list();
  expect([status, isOneAnswered]).toEqual([200, false]);
  await holder.query('ROLLBACK');
  const statuses = (await Promise.all(exports)).map((answer) => answer.status);
  expect(statuses).toContain(200);
});
