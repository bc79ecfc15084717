import { NativeConnection } from '@temporalio/worker';
import { prepareNamespace } from '../../../workers/temporal/namespace';
import { openTestDeps, type TestDeps } from '../app';

export interface OwnNamespace {
  namespace: string;
  deps: TestDeps;
  /** The connection for workers in it. */
  connection: NativeConnection;
  close(): Promise<void>;
}

/** A namespace of Temporal's for a suite that needs queues or schedules by their own names. */
export async function openOwnNamespace(prefix: string): Promise<OwnNamespace> {
  const namespace = `${prefix}-${process.pid}-${Date.now()}`;
  const deps = await openTestDeps({ TEMPORAL_NAMESPACE: namespace });
  const { address } = deps.config.temporal;
  await prepareNamespace({ address, namespace });
  const connection = await NativeConnection.connect({ address });
  return {
    namespace,
    deps,
    connection,
    async close() {
      await connection.close();
      await deps.close();
    },
  };
}
