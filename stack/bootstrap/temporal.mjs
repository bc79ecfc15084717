import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { isExecutable, onPath, ROOT, run } from './run.mjs';

const CACHE = path.join(os.homedir(), '.cache', 'affiliate-programme-service', 'bin');
const CACHED = path.join(CACHE, 'temporal');
// Newer versions of the module cannot be installed by name: they replace one of their dependencies.
const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1';
const ADVICE =
  'Install the Temporal CLI, or set TEMPORAL_CLI_PATH or TEMPORAL_ADDRESS, then try again.';

/** `installed` settles when the npm packages are there: the SDK among them can download a server. */
export function temporalTask(installed) {
  return {
    title: 'Temporal',
    async run(report) {
      const found = findTemporal();
      if (found) return found;
      mkdirSync(CACHE, { recursive: true });
      const go = [onPath('go'), '/usr/local/go/bin/go'].find((file) => file && existsSync(file));
      const failures = [];
      if (go) {
        try {
          return await buildWithGo(go, report);
        } catch (error) {
          failures.push(error.message);
        }
      }
      try {
        await installed;
        return await downloadWithSdk(report);
      } catch (error) {
        failures.push(error.message);
      }
      throw new Error(`Temporal could not be installed. ${ADVICE}\n${failures.join('\n')}`);
    },
  };
}

function findTemporal() {
  const { TEMPORAL_ADDRESS, TEMPORAL_CLI_PATH } = process.env;
  if (TEMPORAL_ADDRESS) return 'the one at TEMPORAL_ADDRESS';
  if (TEMPORAL_CLI_PATH) {
    if (isExecutable(TEMPORAL_CLI_PATH)) return 'the one at TEMPORAL_CLI_PATH';
    throw new Error(`TEMPORAL_CLI_PATH names no program: ${TEMPORAL_CLI_PATH}`);
  }
  return onPath('temporal') || isExecutable(CACHED) ? 'found' : undefined;
}

async function buildWithGo(go, report) {
  report('building it once with Go, a few minutes');
  const folder = mkdtempSync(path.join(CACHE, 'build-'));
  try {
    // The caller's flags for Go are left out: they are for projects of their own.
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '' };
    await run(go, ['install', MODULE], { env, cwd: folder, onLine: report });
    renameSync(path.join(folder, 'temporal'), CACHED);
    return 'built with Go, kept for every checkout';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function downloadWithSdk(report) {
  report('downloading it');
  const require = createRequire(path.join(ROOT, 'package.json'));
  const { TestWorkflowEnvironment } = require('@temporalio/testing');
  const folder = mkdtempSync(path.join(CACHE, 'download-'));
  try {
    const executable = { type: 'cached-download', downloadDir: folder };
    const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
    await environment.teardown();
    const [file] = readdirSync(folder).filter((name) => isExecutable(path.join(folder, name)));
    renameSync(path.join(folder, file), CACHED);
    return 'downloaded, kept for every checkout';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
