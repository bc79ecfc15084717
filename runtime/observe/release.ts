import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The one version of everything: of package.json, which lies above the sources, and one folder higher
 * above what was built of them.
 */
export function release(): string {
  const file = ['../..', '../../..']
    .map((up) => join(__dirname, up, 'package.json'))
    .find((path) => existsSync(path));
  if (file === undefined) return 'unknown';
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
