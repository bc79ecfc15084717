import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { msToTs, optionalTsToMs } from '@temporalio/common/lib/time';
import type { TemporalTls } from '../../runtime/config/temporal-tls';
import { searchAttributeNames } from '../../runtime/temporal/messages';
import { checkManaged } from './managed';
import { toUnreachable } from './unreachable';
import { dayMs } from '../../entities/rules/values/duration';

const MIN_RETENTION_DAYS = 1;
const KEYWORD = 2; // IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
const ALREADY_EXISTS = 6;
const NOT_FOUND = 5;

export interface TemporalServer {
  address: string;
  namespace: string;
  apiKey?: string | undefined;
  tls?: boolean | TemporalTls;
  /** Run by others: it is checked, and nothing is made. */
  managed?: boolean;
}

export async function isNamespaceReady(address: string, namespace: string): Promise<boolean> {
  try {
    await withConnection({ address, namespace }, (connection) => describe(connection, namespace));
    return true;
  } catch {
    return false;
  }
}

export interface NamespaceOptions {
  /** How long a new namespace keeps closed workflows; else as short as Temporal allows. */
  retentionDays?: number;
  /** Says a sentence to the operator. */
  say?: (sentence: string) => void;
}

/** Namespace and search attributes, as the service needs them; as often as one likes. */
export async function prepareNamespace(
  server: TemporalServer,
  { retentionDays = MIN_RETENTION_DAYS, say }: NamespaceOptions = {},
): Promise<void> {
  const { namespace } = server;
  await withConnection(server, async (connection) => {
    if (server.managed) return checkManaged(connection, { namespace, retentionDays }, say);
    await registerNamespace(connection, namespace, retentionDays);
    const keptDays = await retentionOf(connection, namespace);
    if (keptDays !== retentionDays) say?.(differenceOf({ namespace, keptDays, retentionDays }));
    await registerAttributes(connection, namespace);
  });
}

/** Sets the time on a server that is ours alone, whose namespace comes with one of its own. */
export async function keepHistories(server: TemporalServer, retentionDays: number): Promise<void> {
  await withConnection(server, ({ workflowService }) =>
    workflowService.updateNamespace({
      namespace: server.namespace,
      config: { workflowExecutionRetentionTtl: msToTs(retentionDays * dayMs) },
    }),
  );
}

/** What an operator has set since stands, whatever this release would have chosen. */
function differenceOf(found: {
  namespace: string;
  keptDays: number;
  retentionDays: number;
}): string {
  const { namespace, keptDays, retentionDays } = found;
  return `The namespace ${namespace} of Temporal keeps closed workflows for ${keptDays} days, and \
TEMPORAL_RETENTION_DAYS is ${retentionDays}. Nothing is changed; this would: temporal operator \
namespace update --namespace ${namespace} --retention ${retentionDays}d`;
}

async function retentionOf(connection: Connection, namespace: string): Promise<number> {
  const { config } = await describe(connection, namespace);
  return (optionalTsToMs(config?.workflowExecutionRetentionTtl) ?? 0) / dayMs;
}

async function registerNamespace(
  connection: Connection,
  namespace: string,
  retentionDays: number,
): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(retentionDays * dayMs),
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

function describe(connection: Connection, namespace: string) {
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
  if (server.tls) options.tls = server.tls;
  const connection = await Connection.connect(options).catch(async (error: unknown) => {
    throw await toUnreachable(server, error);
  });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

function codeOf(error: unknown): number | undefined {
  return (error as { code?: number }).code;
}
