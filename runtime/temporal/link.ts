import { Client, Connection } from '@temporalio/client';
import type { Config } from '../config/config';

export type TemporalLink = ReturnType<typeof openTemporal>;

/** The client side of Temporal, connected on first use: the API starts without it. */
export function openTemporal(config: Config['temporal']) {
  const connection = Connection.lazy({
    address: config.address,
    tls: config.tls,
    connectTimeout: '3s',
    // A server that is back is known at once, not after as long again as it was away.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2_000,
    },
    ...(config.apiKey === undefined ? {} : { apiKey: config.apiKey }),
  });
  const client = new Client({ connection, namespace: config.namespace });
  return {
    client,
    connection,
    /** Runs calls under a deadline; throws when Temporal does not answer in time. */
    within: <T>(ms: number, call: (client: Client) => Promise<T>): Promise<T> =>
      client.withDeadline(Date.now() + ms, () => call(client)),
    close: (): Promise<void> => connection.close(),
  };
}
