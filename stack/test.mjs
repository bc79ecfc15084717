import { buildTask } from './bootstrap/build.mjs';
import { chromiumTask } from './bootstrap/chromium.mjs';
import { gates } from './bootstrap/gates.mjs';
import { runJest } from './bootstrap/jest.mjs';
import { fail, prepare } from './bootstrap/prepare.mjs';
import { runTasks } from './bootstrap/tasks.mjs';

const results = { passed: 0, failed: 0, messages: [] };
const showMessages = () => {
  for (const message of results.messages.splice(0)) console.log(`\n${message}`);
};

try {
  await prepare([chromiumTask]);
  await runTasks([buildTask]);
  await runTasks(gates(results));
  showMessages();
  await runJest(results);
  showMessages();
} catch (error) {
  fail(error);
}
console.log(`\n${results.passed} passed, ${results.failed} failed`);
process.exitCode = results.failed === 0 ? 0 : 1;
