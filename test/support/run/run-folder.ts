import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What suites of one jest run share: made by its setup, removed by its teardown. */
export function runFolder(): string {
  return (process.env['TEST_RUN_FOLDER'] ??= mkdtempSync(path.join(os.tmpdir(), 'affiliate-run-')));
}

export function removeRunFolder(): void {
  const folder = process.env['TEST_RUN_FOLDER'];
  if (folder) rmSync(folder, { recursive: true, force: true });
}
