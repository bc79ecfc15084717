import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { createDatabase, type Database } from '../../entities/database/database';
import { queryOne } from '../../entities/database/sql';
import { loadConfig } from '../../runtime/config/config';
import { claimAnyPort } from '../../stack/parts/ports';
import { prepareNamespace } from '../../workers/temporal/namespace';
import { searchAttributeNames, workflowIds } from '../../runtime/temporal/messages';
import { testEnvironment } from '../support/app';
import { buildCommission } from '../support/build/commissions';
import { buildProgram } from '../support/build/programs';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { runBuiltCommand } from '../support/stack/commands';
import { buildService, startService, type ServiceProcess } from '../support/stack/service-process';
import { createAuthority, type Authority } from '../support/temporal-cloud/certificates';
import { startTemporalCloud, type TemporalCloud } from '../support/temporal-cloud/stand-in';

jest.setTimeout(120_000);

const DAY_MS = 86_400_000;
const KEYWORD = 2; // IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
const upstream = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const namespace = `cloud-${process.pid}-${Date.now()}`;
/** A database of this deploy step alone, for it changes the role. */
const role = `cloud_${process.pid}`;

let authority: Authority;
let cloud: TemporalCloud;
let database: TestDatabase;
let db: Database;
/** The connection of those who run the server. */
let operator: Connection;
let environment: Record<string, string>;
const running: ServiceProcess[] = [];

beforeAll(async () => {
  buildService();
  authority = createAuthority();
  cloud = await startTemporalCloud(upstream, authority);
  database = await createTestDatabase();
  db = createDatabase({ url: database.url, poolSize: 2 });
  operator = await Connection.connect({ address: upstream });
  await operator.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs(7 * DAY_MS),
  });
  const serving = new URL(database.url);
  serving.username = role;
  const { cert, key } = authority.sign('affiliate');
  environment = testEnvironment(database.url, {
    DATABASE_URL: serving.toString(),
    DATABASE_DIRECT_URL: serving.toString(),
    DATABASE_OWNER_URL: database.url,
    DATABASE_POOLER: 'none',
    TEMPORAL_ADDRESS: cloud.address,
    TEMPORAL_NAMESPACE: namespace,
    TEMPORAL_MANAGED: 'true',
    TEMPORAL_TLS_CERT: cert,
    TEMPORAL_TLS_KEY: key,
    TEMPORAL_TLS_CA: authority.cert,
    LOG_LEVEL: 'warn',
  });
}, 180_000);

afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()));
  await operator.close();
  await cloud.close();
  await db.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await db.destroy();
  await database.drop();
  authority.remove();
});

/** What connecting fails with, with these files in place of the right ones. */
async function refusalOf(wrong: Partial<Record<Files, string | undefined>>): Promise<string> {
  const files = Object.entries({ ...environment, ...wrong }).filter(
    ([, file]) => file !== undefined,
  );
  const { temporal } = loadConfig(Object.fromEntries(files));
  const { message } = await prepareNamespace(temporal).then(
    () => new Error('connected'),
    (error: Error) => error,
  );
  return message.replace(/\([A-Z_0-9]+\)/, '(CODE)');
}

type Files = 'TEMPORAL_TLS_CERT' | 'TEMPORAL_TLS_KEY' | 'TEMPORAL_TLS_CA';

async function addAttributes(): Promise<void> {
  await operator.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(searchAttributeNames.map((name) => [name, KEYWORD])),
  });
}

async function start(script: 'api/main.js' | 'workers/main.js', more: Record<string, string>) {
  const process = await startService(script, { ...environment, ...more });
  running.push(process);
}

describe('the deploy step at a Temporal that others run (operating-temporal.md, Temporal Cloud)', () => {
  it('says whose certificate is missing or wrong', async () => {
    const stranger = createAuthority();
    const { cert: TEMPORAL_TLS_CERT, key: TEMPORAL_TLS_KEY } = stranger.sign('stranger');
    const refusals = await Promise.all([
      refusalOf({ TEMPORAL_TLS_CERT: undefined, TEMPORAL_TLS_KEY: undefined }),
      refusalOf({ TEMPORAL_TLS_CERT, TEMPORAL_TLS_KEY }),
      refusalOf({ TEMPORAL_TLS_KEY }),
      refusalOf({ TEMPORAL_TLS_CA: stranger.cert }),
    ]);
    const printed = await runBuiltCommand('migrate', {
      ...environment,
      TEMPORAL_TLS_CERT,
      TEMPORAL_TLS_KEY,
    });
    stranger.remove();
    const unreachable = `Temporal at TEMPORAL_ADDRESS (${cloud.address}) cannot be reached: `;
    expect(refusals).toEqual(
      [
        'it wants the certificate of a client: set TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY.',
        'it refuses the certificate of TEMPORAL_TLS_CERT (CODE), which is expired or of another authority.',
        'TEMPORAL_TLS_KEY is not the key of TEMPORAL_TLS_CERT.',
        'its certificate is of no authority that is trusted here (CODE): set TEMPORAL_TLS_CA.',
      ].map((reason) => unreachable + reason),
    );
    expect(printed.code).toBe(1);
    expect(printed.out).toContain(`${unreachable}it refuses the certificate of TEMPORAL_TLS_CERT`);
    expect([...cloud.forwarded]).toEqual([]);
  });

  it('makes nothing, and says what to run for the search attributes', async () => {
    const wanting = await eventually(async () => {
      const answer = await runBuiltCommand('migrate', environment);
      // A new namespace takes some seconds until every part of the server knows it.
      return /not found/i.test(answer.out) ? undefined : answer;
    });
    expect(wanting).toEqual({
      code: 1,
      out:
        `The namespace ${namespace} has no search attributes WorkspaceId, ProgramId, Mode. Run: tcld namespace ` +
        `search-attributes add --namespace ${namespace} --search-attribute "WorkspaceId=Keyword" ` +
        '--search-attribute "ProgramId=Keyword" --search-attribute "Mode=Keyword"\n',
    });
    expect([...cloud.refused]).toEqual([]);
  });

  it('passes where they are there, and a lifecycle runs to its approval', async () => {
    await addAttributes();
    const passed = await eventually(async () => {
      const answer = await runBuiltCommand('migrate', environment);
      return answer.code === 0 ? answer : undefined;
    });
    expect(passed.out).toBe('');

    const port = String(await claimAnyPort());
    const [apiAdmin, workerAdmin] = [await claimAnyPort(), await claimAnyPort()].map(String);
    await start('api/main.js', { PORT: port, ADMIN_PORT: apiAdmin ?? '' });
    const queues = { WORKER_QUEUES: 'relay,commissions,maintenance' };
    await start('workers/main.js', { ...queues, ADMIN_PORT: workerAdmin ?? '' });
    const ready = await fetch(`http://127.0.0.1:${port}/api/v1/health/ready`);
    expect(await ready.json()).toMatchObject({ dependencies: { temporal: 'up' } });

    const program = await buildProgram(db.manager, { holdDays: 30 });
    const createdAt = new Date(Date.now() - 30 * DAY_MS + 3_000);
    const { id } = await buildCommission(db.manager, { program, createdAt });
    const status = await eventually(async () => {
      const sql = 'SELECT status FROM commissions WHERE id = $1';
      const row = await queryOne<{ status: string }>(db.manager, sql, [id]);
      return row?.status === 'pending' ? undefined : row?.status;
    }, 60_000);
    expect(status).toBe('approved');
    const { workflowExecutionInfo } = await operator.workflowService.describeWorkflowExecution({
      namespace,
      execution: { workflowId: workflowIds.commission(id) },
    });
    expect(workflowExecutionInfo?.type?.name).toBe('commissionLifecycle');
    expect([...cloud.forwarded]).toEqual(
      expect.arrayContaining(['PollWorkflowTaskQueue', 'CreateSchedule']),
    );
    expect([...cloud.refused]).toEqual([]);
    expect(running.map((one) => one.output()).join('')).toBe('');
  });
});
