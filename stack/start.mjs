import { buildTask } from './bootstrap/build.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';

try {
  await prepare();
  await runTasks([buildTask]);
  const { runStack } = await import('../dist/stack/supervisor/main.js');
  await runStack(runTasks);
} catch (error) {
  fail(error);
}
