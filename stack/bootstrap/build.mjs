import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { packClients } from './clients.mjs';
import { ROOT, run } from './run.mjs';

const SOURCES = ['api', 'activities', 'entities', 'runtime', 'stack', 'workers', 'workflows'];
/** The pages have a bundler of their own, and call the API by the client package. */
const PAGES = 'web';
const CLIENT = path.join('packages', 'client', 'src');
/** Served by the API: pages, and the packed clients. */
const SHOWN = Object.keys(
  JSON.parse(readFileSync(path.join(ROOT, 'api', 'docs', 'shown.json'), 'utf8')),
);
const PACKAGES = 'packages';
const ALSO = ['.swcrc', 'package.json', 'package-lock.json'];
const DIST = path.join(ROOT, 'dist');
const STAMP = 'stamp';

export const buildTask = {
  title: 'Build',
  async run(report) {
    const stamp = stampOfSources();
    if (readStamp() === stamp) return 'up to date';
    // The new build stands beside the old one until it is whole, so that a running service never sees half of it.
    const fresh = path.join(ROOT, `dist.${process.pid}`);
    try {
      await compile(fresh, report);
      writeFileSync(path.join(fresh, STAMP), stamp);
      replaceDist(fresh, stamp);
    } finally {
      rmSync(fresh, { recursive: true, force: true });
    }
    return 'done';
  },
};

async function compile(target, report) {
  const swc = path.join(ROOT, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const folders = [...SOURCES, CLIENT].filter((folder) => existsSync(path.join(ROOT, folder)));
  // The client package names its files as `.ts`.
  const options = ['-C', 'jsc.rewriteRelativeImportExtensions=true'];
  await run(
    process.execPath,
    [swc, ...folders, '-d', target, '--copy-files', '--ignore', '**/*.mjs', ...options],
    { onLine: report },
  );
  const bundler = path.join(target, 'workers', 'temporal', 'bundle.js');
  if (existsSync(bundler)) await run(process.execPath, [bundler], { onLine: report });
  const snippet = path.join('api', 'snippet');
  // It is made from its source, so that a build and a test give out the same bytes.
  copyFileSync(path.join(ROOT, snippet, 'selgeo.ts'), path.join(target, snippet, 'selgeo.ts'));
  copyShown(target);
  await packClients(
    ...[path.join(target, 'api', 'clients'), path.join(DIST, 'api', 'clients'), report],
  );
  await run(process.execPath, [path.join(target, snippet, 'build.js')], {
    onLine: report,
  });
  const pages = path.join(target, 'api', 'web', 'build.js');
  await run(process.execPath, [pages, path.join(ROOT, PAGES)], { onLine: report });
}

function replaceDist(fresh, stamp) {
  rmSync(DIST, { recursive: true, force: true });
  try {
    renameSync(fresh, DIST);
  } catch (error) {
    // Another process built the same at the same time.
    if (readStamp() !== stamp) throw error;
  }
}

function readStamp() {
  try {
    return readFileSync(path.join(DIST, STAMP), 'utf8');
  } catch {
    return undefined;
  }
}

function stampOfSources() {
  const hash = createHash('sha256');
  const files = [
    ...[...SOURCES, PAGES, PACKAGES].flatMap((name) => filesBelow(path.join(ROOT, name))),
    ...SHOWN.flatMap((name) => filesShown(path.join(ROOT, name))),
    ...ALSO.map((name) => path.join(ROOT, name)),
  ];
  for (const file of files) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${path.relative(ROOT, file)}:${mtimeMs}:${size}\n`);
  }
  return hash.digest('hex');
}

/** What the API shows of the repository, as it lies there. */
export function copyShown(target) {
  for (const file of SHOWN.flatMap((name) => filesShown(path.join(ROOT, name)))) {
    cpSync(file, path.join(target, 'api', 'docs', 'pages', path.relative(ROOT, file)));
  }
}

/** Pages and pictures of a folder, not of folders in it; or a page itself. */
function filesShown(place) {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place)
    .filter((name) => /\.(md|webp)$/.test(name))
    .map((name) => path.join(place, name))
    .sort();
}

function filesBelow(folder) {
  if (!existsSync(folder)) return [];
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !/\/(node_modules|dist|__pycache__)\//.test(path.relative(ROOT, file)))
    .sort();
}
