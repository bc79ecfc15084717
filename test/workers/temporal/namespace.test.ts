import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { NotPreparedError } from '../../../workers/temporal/managed';
import {
  isNamespaceReady,
  keepHistories,
  prepareNamespace,
} from '../../../workers/temporal/namespace';
import { eventually } from '../../support/eventually';

const address = process.env['TEST_TEMPORAL_ADDRESS'] ?? '';
const namespace = `retention-${process.pid}-${Date.now()}`;
const server = { address, namespace };

let connection: Connection;
beforeAll(async () => {
  connection = await Connection.connect({ address });
});
afterAll(() => connection.close());

async function retentionDays(): Promise<number> {
  const { config } = await connection.workflowService.describeNamespace({ namespace });
  return Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) / 86_400;
}

it('chooses the retention of a new namespace, and leaves what an operator has set since', async () => {
  const said: string[] = [];
  const say = (sentence: string) => void said.push(sentence);
  await prepareNamespace(server, { retentionDays: 7, say });
  expect(await retentionDays()).toBe(7);
  expect(said).toEqual([]);

  await keepHistories(server, 3);
  await prepareNamespace(server, { retentionDays: 7, say });
  expect(await retentionDays()).toBe(3);
  expect(said).toEqual([
    `The namespace ${namespace} of Temporal keeps closed workflows for 3 days, and ` +
      'TEMPORAL_RETENTION_DAYS is 7. Nothing is changed; this would: temporal operator ' +
      `namespace update --namespace ${namespace} --retention 7d`,
  ]);
}, 60_000);

it('makes nothing where Temporal is run by others, and says what to run', async () => {
  const bare = `managed-${process.pid}-${Date.now()}`;
  const managed = { address, namespace: bare, managed: true };
  await expect(prepareNamespace(managed)).rejects.toThrow(/not found/i);

  // The namespace is made as Temporal's own page makes it: without search attributes.
  await connection.workflowService.registerNamespace({
    namespace: bare,
    workflowExecutionRetentionPeriod: msToTs(7 * 86_400_000),
  });
  await eventually(() => isNamespaceReady(address, bare).then((ready) => ready || undefined));
  const said: string[] = [];
  const options = { retentionDays: 3, say: (sentence: string) => void said.push(sentence) };
  const wanting = eventually(async () => {
    const error: unknown = await prepareNamespace(managed, options).catch(
      (thrown: unknown) => thrown,
    );
    return error instanceof NotPreparedError ? error : undefined;
  });
  expect((await wanting).message).toBe(
    `The namespace ${bare} has no search attributes WorkspaceId, ProgramId, Mode. Run: tcld namespace ` +
      `search-attributes add --namespace ${bare} --search-attribute "WorkspaceId=Keyword" ` +
      '--search-attribute "ProgramId=Keyword" --search-attribute "Mode=Keyword"',
  );
  expect(said[0]).toMatch(/keeps closed workflows for 7 days, and TEMPORAL_RETENTION_DAYS is 3/);

  // A namespace that has them all is left as it is.
  await prepareNamespace({ address, namespace: 'default', managed: true });
}, 60_000);
