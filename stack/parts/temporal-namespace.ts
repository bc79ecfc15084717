import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { searchAttributeNames } from '../../workflows/messages';

const RETENTION = msToTs('30 days');
const KEYWORD = 2; // IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
const ALREADY_EXISTS = 6;
const NOT_FOUND = 5;

export interface TemporalServer {
  address: string;
  namespace: string;
  apiKey?: string | undefined;
  tls?: boolean;
}

export async function isNamespaceReady(address: string, namespace: string): Promise<boolean> {
  try {
    await withConnection({ address, namespace }, (connection) => describe(connection, namespace));
    return true;
  } catch {
    return false;
  }
}

/** Namespace, retention and search attributes, as the service needs them; as often as one likes. */
export async function prepareNamespace(server: TemporalServer): Promise<void> {
  await withConnection(server, async (connection) => {
    await registerNamespace(connection, server.namespace);
    await keepHistories(connection, server.namespace);
    await registerAttributes(connection, server.namespace);
  });
}

async function registerNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: RETENTION,
    });
  } catch (error) {
    if (codeOf(error) !== ALREADY_EXISTS) throw error;
  }
  // A new namespace takes some seconds until every part of the server knows it.
  for (let attempt = 1; attempt <= 60; attempt += 1) {
    try {
      await describe(connection, namespace);
      return;
    } catch (error) {
      if (codeOf(error) !== NOT_FOUND) throw error;
      await sleep(500);
    }
  }
}

async function keepHistories(connection: Connection, namespace: string): Promise<void> {
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: RETENTION },
  });
}

async function registerAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = searchAttributeNames.filter((name) => !(name in (customAttributes ?? {})));
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
    });
  } catch (error) {
    if (codeOf(error) !== ALREADY_EXISTS) throw error;
  }
}

function describe(connection: Connection, namespace: string): Promise<unknown> {
  return connection.withDeadline(Date.now() + 3_000, () =>
    connection.workflowService.describeNamespace({ namespace }),
  );
}

async function withConnection<T>(
  server: TemporalServer,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const options: ConnectionOptions = { address: server.address, connectTimeout: '3s' };
  if (server.apiKey) options.apiKey = server.apiKey;
  if (server.tls) options.tls = true;
  const connection = await Connection.connect(options);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

function codeOf(error: unknown): number | undefined {
  return (error as { code?: number }).code;
}
