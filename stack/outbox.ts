import { loadConfig } from '../activities/runtime/process/config';
import { listDeadWork, retryDeadWork } from '../activities/journal/outbox-dead';
import { outboxTopics } from '../activities/journal/outbox';
import { createDataSource } from '../entities/database/data-source';
import { isUuid } from '../entities/ids';
import { operatorActor } from '../entities/rules/values/actor';

const usage = `What the relay gave up after its attempts:
  npm run outbox -- list [topic]
  npm run outbox -- retry <id>|<topic>|all
Topics: ${outboxTopics.join(', ')}`;

const isTopic = (which?: string): boolean => outboxTopics.some((topic) => topic === which);

function isUsable(command?: string, which?: string): boolean {
  if (command === 'list') return which === undefined || isTopic(which);
  return command === 'retry' && (which === 'all' || isTopic(which) || isUuid(which));
}

/** Shows the dead letters of the outbox, or queues them again. */
async function main([command, which]: string[]): Promise<string> {
  if (!isUsable(command, which)) throw new Error(usage);

  const { databaseUrl, databasePooler: pooler } = loadConfig();
  const source = createDataSource({ url: databaseUrl, pooler, poolSize: 2 });
  await source.initialize();
  const topic = which !== undefined && isTopic(which) ? { topic: which } : {};
  try {
    if (command === 'list') return list(await listDeadWork(source.manager, topic.topic));
    const id = isUuid(which) && typeof which === 'string' ? { id: which } : {};
    const byOperator = { actor: operatorActor, now: new Date() };
    const queued = await retryDeadWork(source.manager, byOperator, { ...id, ...topic });
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
