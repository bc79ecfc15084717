import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { releases } from '../stack/releases';

const run = promisify(execFile);
const here = path.join(__dirname, '../../..');

/** The last release in a folder of its own, built. Its packages are those of this checkout, and what only it needs. */
export async function checkOutLastRelease(folder: string): Promise<void> {
  const last = releases.at(-1);
  if (!last) throw new Error('stack/releases.json names no release');
  await inFolder(folder, `git archive ${last.commit} | tar -x -C "$FOLDER"`);
}

/** What an upgrade suite must notice, as `UPGRADE_BREAKS` says. */
export type Break = 'workflows' | 'schema';

/**
 * The coming release: this checkout, and a schema that differs from the last one's whatever it has changed so far. Built in
 * a folder of its own; `broken` in a way that cannot go well beside the last release.
 */
export async function checkOutNextRelease(folder: string, broken?: Break): Promise<void> {
  const files = 'git ls-files -z --cached --others --exclude-standard --deduplicate';
  await inFolder(folder, `${files} | tar -c --null -T - | tar -x -C "$FOLDER"`, () => {
    addMigrations(folder);
    if (broken === 'workflows') breakLifecycles(folder);
    if (broken === 'schema') breakSchema(folder);
  });
}

const migrationFile = 'entities/migrations/of-the-next-release.ts';

/** Writes the migrations where a release has them, with the column's line in its entity. */
function addMigrations(folder: string): void {
  const fixture = readFileSync(path.join(__dirname, 'next-release.ts'), 'utf8');
  const source = fixture.replace('../../../entities/database/', '../database/');
  writeFileSync(path.join(folder, migrationFile), source);
  change(path.join(folder, 'entities/migrations/index.ts'), /^([\s\S]*[^,\s]),?\s*\];\n/, [
    `import { nextMigrations } from './of-the-next-release';\n`,
    '$1, ...nextMigrations];\n',
  ]);
  change(path.join(folder, 'entities/tables/commissions/commission.entity.ts'), /\}\n$/, [
    `\n  @Column({ name: 'written_by', type: 'text', nullable: true })\n`,
    '  writtenBy!: string | null;\n}\n',
  ]);
}

/** No run of the last release replays: a lifecycle begins with an activity instead of its timer. */
function breakLifecycles(folder: string): void {
  const place = '  let idleRounds = 0;\n';
  change(path.join(folder, 'workflows/commission-lifecycle.ts'), new RegExp(place), [
    `  await advancePatiently({ commissionId });\n${place}`,
  ]);
}

/** What the last release writes lacks a value that may not be missing. */
function breakSchema(folder: string): void {
  change(path.join(folder, migrationFile), / DEFAULT 'the former release'/, [
    `$& NOT NULL; ALTER TABLE commissions ALTER COLUMN written_by DROP DEFAULT`,
  ]);
}

function change(file: string, place: RegExp, by: readonly string[]): void {
  const source = readFileSync(file, 'utf8');
  if (!place.test(source)) throw new Error(`${file} has changed: say where to change it`);
  writeFileSync(file, source.replace(place, by.join('')));
}

const ours = path.join(here, 'node_modules');

async function linkPackages(folder: string): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  const missing = Object.entries(dependencies).filter(
    ([name]) => !existsSync(path.join(ours, name)),
  );
  const packages = path.join(folder, 'node_modules');
  if (missing.length === 0) return symlinkSync(ours, packages);
  // Its folder would be ours.
  const scoped = missing.find(([name]) => name.startsWith('@'));
  if (scoped) throw new Error(`${scoped[0]} of the last release is not here: link its scope`);
  const apart = path.join(folder, 'packages-of-its-own');
  const names = missing.map(([name, version]) => `${name}@${version}`);
  await run('npm', [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--prefix',
    apart,
    ...names,
  ]);
  mkdirSync(packages);
  for (const name of readdirSync(ours)) {
    symlinkSync(path.join(ours, name), path.join(packages, name));
  }
  for (const [name] of missing) {
    symlinkSync(path.join(apart, 'node_modules', name), path.join(packages, name));
  }
}

async function inFolder(folder: string, copy: string, adapt?: () => void): Promise<void> {
  mkdirSync(folder);
  const env = { ...process.env, FOLDER: folder };
  await run('bash', ['-o', 'pipefail', '-ec', copy], { cwd: here, env });
  await linkPackages(folder);
  adapt?.();
  await run(process.execPath, ['stack/build.mjs'], { cwd: folder });
}
