import { Client } from 'pg';
import { exportPage } from '../../api/commissions/commission-export.queries';

/** Seconds of COPY TO of the export's own statement over the wire, its bytes thrown away. */
export async function copyOut(
  url: string,
  { programId }: { programId: string },
  count: number,
): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { text } = exportPage({ programIds: [programId], filter: {} }, null, count);
  const whole = text.replace('$1', `'${programId}'`).replace('$2', String(count));
  const statement = `COPY (${whole}) TO STDOUT WITH (FORMAT csv)`;
  const started = performance.now();
  await new Promise<void>((resolve, reject) => {
    // The driver has no COPY of its own, but hands its messages to whoever asked.
    client.query({
      submit: (connection: { query(text: string): void }) => connection.query(statement),
      handleCopyData: () => undefined,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => resolve(),
      handleError: (error: Error) => reject(error),
    } as never);
  });
  const seconds = (performance.now() - started) / 1_000;
  await client.end();
  return seconds;
}
