import { areDependenciesInstalled, dependenciesTask } from './dependencies.mjs';
import { redisTask } from './redis.mjs';
import { endRuns } from './run.mjs';
import { runTasks } from './tasks.mjs';
import { temporalTask } from './temporal.mjs';

const OLDEST_NODE = [20, 19];

/** Gets what a fresh machine lacks, side by side; what cannot be installed ends the process with a sentence. */
export async function prepare(extraTasks = []) {
  refuseOldNode();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, giveUp);
  // The list shown live comes from a package, which must not be replaced under its feet.
  const live = areDependenciesInstalled();
  const dependencies = shared(dependenciesTask);
  await runTasks([dependencies.task, redisTask, temporalTask(dependencies.done), ...extraTasks], {
    live,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, giveUp);
}

/** One sentence for a person; the stack trace would say nothing more. */
export function fail(error) {
  endRuns();
  console.error(`\n${error.message}`);
  process.exit(1);
}

function giveUp() {
  endRuns();
  process.exit(130);
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const [oldest, oldestMinor] = OLDEST_NODE;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) return;
  fail(
    new Error(
      `Node.js ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`,
    ),
  );
}

/** A task whose end another task may wait for. */
function shared(task) {
  let settle;
  const done = new Promise((resolve, reject) => {
    settle = { resolve, reject };
  });
  done.catch(() => {});
  const run = async (report) => {
    try {
      const outcome = await task.run(report);
      settle.resolve();
      return outcome;
    } catch (error) {
      settle.reject(error);
      throw error;
    }
  };
  return { task: { ...task, run }, done };
}
