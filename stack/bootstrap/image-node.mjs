import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npmCommand } from './npm.mjs';
import { isExecutable, ROOT, run } from './run.mjs';

const CACHE = path.join(os.homedir(), '.cache', 'affiliate-programme-service');
/** npm's package `node` is a few lines that choose one of these. */
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The major version of Node.js that the image runs. */
export function imageMajor() {
  const [, major] = /^ARG NODE_IMAGE=node:(\d+)/m.exec(
    readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8'),
  );
  return major;
}

/** The path of such a Node.js: this process's own, or npm's, kept for every checkout. Throws where it cannot be had. */
export async function imageNode() {
  const major = imageMajor();
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const home = path.join(CACHE, `node-${major}`);
  const node = path.join(home, 'node_modules', PACKAGE, 'bin', 'node');
  if (!isExecutable(node)) await install(home, `${PACKAGE}@${major}`);
  return node;
}

async function install(home, wanted) {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(`${home}-`);
  try {
    writeFileSync(path.join(draft, 'package.json'), '{}');
    const [command, ...args] = npmCommand(['install', '--no-audit', '--no-fund', wanted]);
    await run(command, args, { cwd: draft });
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
