import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

/** A release that is out; its tag is `v` and the version, and clones without tags have the commit. */
export interface Release {
  version: string;
  commit: string;
  /** SHA-256 of the list of its stored histories. */
  histories: string;
}

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));

/** Oldest first. */
export const releases = read('stack/releases.json') as Release[];

/** The version of package.json: of the release that is under way. */
export const versionUnderWay = (read('package.json') as { version: string }).version;
