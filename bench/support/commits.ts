import { Client } from 'pg';
import { quantile } from './table';
import { newId } from '../../entities/ids';

export interface CommitResult {
  requests: number;
  rps: number;
  p50: number;
  p99: number;
}

/** Single-row inserts, each its own commit, by plain pg with a prepared statement. */
export async function commitRows(
  url: string,
  { connections, seconds }: { connections: number; seconds: number },
): Promise<CommitResult> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  await clients[0]?.query(
    'CREATE TABLE IF NOT EXISTS bench_rows (id uuid PRIMARY KEY, note text, at timestamptz)',
  );
  const latencies: number[] = [];
  const started = performance.now();
  const endsAt = started + seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < endsAt) {
        const since = performance.now();
        await client.query({
          name: 'bench_row',
          text: 'INSERT INTO bench_rows (id, note, at) VALUES ($1, $2, $3)',
          values: [newId(), 'one row, one commit', new Date()],
        });
        latencies.push(performance.now() - since);
      }
    }),
  );
  const elapsed = performance.now() - started;
  await Promise.all(clients.map((client) => client.end()));
  return {
    requests: latencies.length,
    rps: Math.round((latencies.length * 1_000) / elapsed),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}
