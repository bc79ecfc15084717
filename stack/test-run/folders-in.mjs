import { readdirSync } from 'node:fs';

/** Names of the folders in a folder, in order. */
export function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
