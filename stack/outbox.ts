import { loadConfig } from '../activities/runtime/process/config';
import { listDeadWork, retryDeadWork } from '../activities/journal/outbox-dead';
import { outboxTopics } from '../activities/journal/outbox';
import { createDataSource } from '../entities/database/data-source';
import { isUuid } from '../entities/ids';

const usage = `What the relay gave up after its attempts:
  npm run outbox -- list [topic]
  npm run outbox -- retry <id>|<topic>|all
Topics: ${outboxTopics.join(', ')}`;

/** Shows the dead letters of the outbox, or queues them again. */
async function main([command, which]: string[]): Promise<string> {
  const isTopic = outboxTopics.some((topic) => topic === which);
  const isList = command === 'list' && (which === undefined || isTopic);
  const isRetry = command === 'retry' && (which === 'all' || isTopic || isUuid(which));
  if (!isList && !isRetry) throw new Error(usage);

  const { databaseUrl, databasePooler: pooler } = loadConfig();
  const source = createDataSource({ url: databaseUrl, pooler, poolSize: 2 });
  await source.initialize();
  const topic = isTopic && which !== undefined ? { topic: which } : {};
  try {
    if (isList) return list(await listDeadWork(source.manager, topic.topic));
    const id = isUuid(which) && typeof which === 'string' ? { id: which } : {};
    const queued = await retryDeadWork(source.manager, { ...id, ...topic }, new Date());
    return `${queued} queued again`;
  } finally {
    await source.destroy();
  }
}

function list(dead: Awaited<ReturnType<typeof listDeadWork>>): string {
  if (dead.length === 0) return 'Nothing was given up.';
  const lines = dead.map(({ id, topic, ref, errorCode, attempts, diedAt }) =>
    [id, topic, ref, errorCode, `${attempts} attempts`, diedAt.toISOString()].join('  '),
  );
  return lines.join('\n');
}

main(process.argv.slice(2)).then(
  (text) => {
    process.stdout.write(`${text}\n`);
    process.exit(0);
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  },
);
