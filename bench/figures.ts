import { figureReaders } from '../activities/figures/readers';
import { execute, query, transaction, type Db, type Tx } from '../entities/database/sql';
import { outboxTopics } from '../activities/journal/outbox';
import { withoutTimeouts } from './support/commission-world';
import { runBench, type Stage } from './support/stage';

/**
 * The longest statement of each reader of figures beside a million outbox rows, 100,000 endpoints with
 * a delivery each and 100,000 mails that wait. Fails when one takes longer than 100 ms.
 *
 *   npm run bench figures [outbox rows, default 1000000] [endpoints and mails, default 100000]
 */
const rows = Number(process.argv[2] ?? 1_000_000);
const endpoints = Number(process.argv[3] ?? 100_000);
const maxMs = 100;
const rounds = 5;

async function main(stage: Stage): Promise<void> {
  await withoutTimeouts(stage.databaseUrl, fill);
  const db = stage.db.manager;
  const time = { now: new Date(), clickMonths: 13 };
  let isSlow = false;
  for (const { reader, read } of figureReaders) {
    const taken: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      taken.push(await transaction(db, (tx) => longest(tx, (timed) => read(timed, time))));
    }
    // The first reads the disk; what other processes take of the machine is in all but the fastest.
    const ms = Math.min(...taken);
    isSlow ||= ms > maxMs;
    console.log(`${reader.padEnd(12)} longest statement ${ms.toFixed(1)} ms`);
  }
  if (isSlow) throw new Error(`a statement took more than ${maxMs} ms`);
}

/** Milliseconds of the longest statement of what is done. */
async function longest(tx: Tx, work: (timed: Tx) => Promise<unknown>): Promise<number> {
  let most = 0;
  const run: Db['run'] = async (statement) => {
    const began = performance.now();
    const found = await tx.run(statement);
    most = Math.max(most, performance.now() - began);
    return found;
  };
  const { isOpen } = tx;
  const timed: Db = { isOpen, run, query: tx.query.bind(tx), transaction: tx.transaction.bind(tx) };
  await work(timed as Tx);
  return most;
}

async function fill(db: Db): Promise<void> {
  const [{ id: workspaceId } = { id: '' }] = await query<{ id: string }>(
    db,
    `INSERT INTO workspaces (id, name, created_at, updated_at)
     VALUES (gen_random_uuid(), 'Bench', now(), now()) RETURNING id`,
  );
  await execute(
    db,
    `INSERT INTO outbox (topic, ref, available_at, created_at)
       SELECT ($1::text[])[1 + n % array_length($1::text[], 1)], gen_random_uuid(), now(), now()
         FROM generate_series(1, $2) AS n`,
    [outboxTopics, rows],
  );
  await execute(
    db,
    `INSERT INTO mails (id, type, recipient, created_at)
       SELECT gen_random_uuid(), 'commission.created', 'a@example.test', now()
         FROM generate_series(1, $1)`,
    [endpoints],
  );
  await execute(
    db,
    `WITH made AS (
       INSERT INTO webhook_endpoints (id, workspace_id, mode, url, events, subscribed_since,
           secret_encrypted, active_since, created_at, updated_at)
         SELECT gen_random_uuid(), $1, 'test', 'https://example.test', '{}', '{}', 'x', now(), now(), now()
           FROM generate_series(1, $2) RETURNING id, workspace_id)
     INSERT INTO webhook_deliveries (id, workspace_id, mode, endpoint_id, event_id, event_type,
         status, next_attempt_at, created_at)
       SELECT gen_random_uuid(), workspace_id, 'test', id, gen_random_uuid(), 'conversion.created', 'pending',
         now(), now() FROM made`,
    [workspaceId, endpoints],
  );
  await execute(db, 'ANALYZE');
}

runBench(main);
