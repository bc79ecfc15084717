import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { releases } from '../stack/releases';

const run = promisify(execFile);
const here = path.join(__dirname, '../../..');

/** This checkout, which `npm run test:operate` has built. */
export const thisCheckout = here;

/** The last release in a folder of its own, built. Its packages are those of this checkout. */
export async function checkOutLastRelease(folder: string): Promise<void> {
  const last = releases.at(-1);
  if (!last) throw new Error('stack/releases.json names no release');
  await inFolder(folder, `git archive ${last.commit} | tar -x -C "$FOLDER"`);
}

/**
 * This checkout with a change that no run of the last release replays: a lifecycle begins with an
 * activity instead of its timer. Built in a folder of its own.
 */
export async function checkOutIncompatible(folder: string): Promise<void> {
  const files = 'git ls-files -z --cached --others --exclude-standard --deduplicate';
  await inFolder(folder, `${files} | tar -c --null -T - | tar -x -C "$FOLDER"`, () => {
    const file = path.join(folder, 'workflows/commission-lifecycle.ts');
    const source = readFileSync(file, 'utf8');
    const place = '  let idleRounds = 0;\n';
    if (!source.includes(place)) throw new Error(`${file} has changed: say where to break it`);
    const broken = `  await advancePatiently({ commissionId });\n${place}`;
    writeFileSync(file, source.replace(place, broken));
  });
}

async function inFolder(folder: string, copy: string, change?: () => void): Promise<void> {
  mkdirSync(folder);
  const env = { ...process.env, FOLDER: folder };
  await run('bash', ['-o', 'pipefail', '-ec', copy], { cwd: here, env });
  symlinkSync(path.join(here, 'node_modules'), path.join(folder, 'node_modules'));
  change?.();
  await run(process.execPath, ['stack/build.mjs'], { cwd: folder });
}
