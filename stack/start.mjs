import { buildTask } from './bootstrap/build.mjs';
import { refuseTakenPorts } from './bootstrap/given-ports.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';

// Behind `| tee log`, Ctrl-C ends the reader first: the stack has to be stopped all the same.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {});

try {
  await refuseTakenPorts();
  await prepare();
  await runTasks([buildTask]);
  const { runStack } = await import('../dist/stack/supervisor/main.js');
  await runStack(runTasks);
} catch (error) {
  fail(error);
}
