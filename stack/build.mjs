import { buildTask } from './bootstrap/build.mjs';
import { fail } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';

await runTasks([buildTask]).catch(fail);
