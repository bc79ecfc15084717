import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isExecutable, onPath, run } from './run.mjs';

// A release of the line that docker-compose.yml runs. 1.31.3 to 1.31.5 require versions of
// go.temporal.io/auto-scaled-workers that could not be had: try them when this is raised.
const VERSION = '1.31.2';

const CACHE = path.join(os.homedir(), '.cache', 'affiliate-programme-service', 'bin');
const HOME = path.join(CACHE, `temporal-server-${VERSION}`);
const PROGRAMS = ['server', 'sql'];
const PACKAGES = ['cmd/server', 'cmd/tools/sql'];

/** The server that a fleet runs, and the tool that makes its schema; where there is no Go, the development server is used on. */
export const temporalServerTask = {
  title: 'Temporal server',
  async run(report) {
    if (process.env.TEMPORAL_ADDRESS) return 'the one at TEMPORAL_ADDRESS';
    const isThere = PROGRAMS.every((name) => isExecutable(path.join(HOME, name)));
    const go = [onPath('go'), '/usr/local/go/bin/go'].find((file) => file && existsSync(file));
    if (!isThere && !go) return 'no Go here: the development server in its place';
    if (!isThere) await build(go, report);
    process.env.TEMPORAL_SERVER_HOME = HOME;
    return isThere ? 'found' : 'built with Go, kept for every checkout';
  },
};

async function build(go, report) {
  report('building it once with Go, a few minutes');
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, 'build-'));
  try {
    // The caller's flags for Go are left out: they are for projects of their own.
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '' };
    const packages = PACKAGES.map((name) => `go.temporal.io/server/${name}@v${VERSION}`);
    await run(go, ['install', ...packages], { env, cwd: folder, onLine: report });
    rmSync(HOME, { recursive: true, force: true });
    renameSync(folder, HOME);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
