import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { onPath, ROOT, run } from './run.mjs';

const folder = path.join(ROOT, '.stack', 'prometheus');
const unpacked = path.join(folder, 'usr', 'bin');

/** Prometheus and promtool: the machine's own, or Debian's package, unpacked and not installed. */
export const prometheusTask = {
  title: 'Prometheus',
  async run(report) {
    process.env.PROMETHEUS_BIN = await binaries(report);
    return process.env.PROMETHEUS_BIN === unpacked ? 'unpacked in .stack' : 'found';
  },
};

async function binaries(report) {
  const own = onPath('promtool');
  if (own && onPath('prometheus')) return path.dirname(own);
  if (!existsSync(path.join(unpacked, 'promtool'))) await unpack(report);
  return unpacked;
}

async function unpack(report) {
  if (!onPath('apt-get') || !onPath('dpkg')) {
    throw new Error('Prometheus and promtool are needed on PATH: only on Debian they are fetched.');
  }
  mkdirSync(path.dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}-`);
  try {
    const options = { cwd: draft, onLine: report };
    await run('apt-get', ['download', 'prometheus'], options).catch(async () => {
      // The lists of a fresh machine are empty or old.
      await run('apt-get', ['update'], options);
      await run('apt-get', ['download', 'prometheus'], options);
    });
    const file = readdirSync(draft).find((name) => name.endsWith('.deb'));
    await run('dpkg', ['-x', file, '.'], options);
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
