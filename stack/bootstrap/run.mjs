import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(
  import.meta.dirname ?? new URL('.', import.meta.url).pathname,
  '../..',
);

const children = new Set();

/** Runs a command, passes its lines on as progress, and fails with what it printed last. */
export function run(command, args, options = {}) {
  const { cwd = ROOT, env = process.env, onLine = () => {}, shownLines = 20 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const lines = [];
    const keep = (chunk) => {
      for (const line of String(chunk)
        .split('\n')
        .map((text) => text.trim())) {
        if (!line) continue;
        lines.push(line);
        onLine(line);
      }
    };
    children.add(child);
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => {
      children.delete(child);
      if (code === 0) return resolve(lines);
      const shown = lines.slice(-shownLines).join('\n');
      reject(new Error(`${path.basename(command)} ${args.join(' ')} failed.\n${shown}`));
    });
  });
}

/** Ends what still runs, so that a start that gave up leaves nothing behind. */
export function endRuns() {
  for (const child of children) child.kill('SIGTERM');
}

export function succeeds(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

export function onPath(name) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return folders.map((folder) => path.join(folder, name)).find(isExecutable);
}

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
