import { loadConfig } from '../../runtime/config/config';
import { listDeadWork, retryDeadWork, type DeadWork } from '../../activities/journal/outbox-dead';
import { outboxTopics } from '../../activities/journal/outbox';
import { withDatabase } from '../../entities/database/database';
import { isUuid } from '../../entities/ids';
import { operatorActor } from '../../entities/rules/values/actor';
import type { Command } from './run-command';

const usage = `What the relay gave up after its attempts:
  aps outbox list [topic]
  aps outbox retry <id>|<topic>|all
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
  const topic = which !== undefined && isTopic(which) ? { topic: which } : {};
  return withDatabase({ url: databaseUrl, pooler, poolSize: 2 }, async ({ manager }) => {
    if (command === 'list') return list(await listDeadWork(manager, topic.topic));
    const id = isUuid(which) ? { id: which } : {};
    const byOperator = { actor: operatorActor, now: new Date() };
    const queued = await retryDeadWork(manager, byOperator, { ...id, ...topic });
    return `${queued} queued again`;
  });
}

function list(dead: readonly DeadWork[]): string {
  if (dead.length === 0) return 'Nothing was given up.';
  return dead.map(lineOf).join('\n');
}

function lineOf({ id, topic, ref, errorCode, attempts, ...dead }: DeadWork): string {
  const since = dead.firstDiedAt ?? dead.diedAt;
  const again = dead.times > 1 ? [`${dead.times} times since ${since.toISOString()}`] : [];
  const died = dead.diedAt.toISOString();
  return [id, topic, ref, errorCode, `${attempts} attempts`, died, ...again].join('  ');
}

export const command: Command = { usage, run: main };
