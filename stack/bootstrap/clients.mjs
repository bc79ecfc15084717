import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { ROOT, run } from './run.mjs';

const SOURCES = ['client', 'client-python'].map((name) => path.join(ROOT, 'packages', name));
const STAMP = 'stamp';

/**
 * Packs the clients into a folder of the build, from where the API serves them. Of sources that are as
 * they were when `former` was packed, its files are taken.
 */
export async function packClients(target, former, report) {
  const stamp = stampOf(SOURCES.flatMap(filesBelow));
  if (readStamp(former) === stamp) return cpSync(former, target, { recursive: true });
  mkdirSync(target, { recursive: true });
  await packNode(target, report);
  await run(process.execPath, [path.join(ROOT, 'packages/client-python/wheel.mjs'), target]);
  writeFileSync(path.join(target, STAMP), stamp);
}

/** Packs a copy: two builds at once would write into one folder. */
async function packNode(target, report) {
  const copy = path.join(target, 'copy');
  const filter = (name) => !/(^|\/)(node_modules|dist)$/.test(name);
  cpSync(path.join(ROOT, 'packages/client'), copy, { recursive: true, filter });
  const args = ['pack', '--pack-destination', target, '--loglevel=error'];
  await run('npm', args, { cwd: copy, onLine: report });
  rmSync(copy, { recursive: true });
}

function readStamp(folder) {
  const file = path.join(folder, STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function stampOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(path.relative(ROOT, file)).update(readFileSync(file));
  return hash.digest('hex');
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/\/(node_modules|dist|__pycache__)\//.test(file))
    .sort();
}
