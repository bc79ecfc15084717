import { Connection } from '@temporalio/client';
import { keepHistories, prepareNamespace } from '../../../workers/temporal/namespace';

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
