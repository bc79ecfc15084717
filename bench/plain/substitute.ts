import { createRequire } from 'node:module';

const load = createRequire(__filename);

/**
 * Loads a module, and has all that load it later find other functions in place of its own. So the
 * plain form of something can be measured without a switch in what is measured.
 */
export function substitute<M extends object>(path: string, change: (real: M) => Partial<M>): void {
  const file = load.resolve(path);
  const real = load(file) as M;
  const cached = load.cache[file];
  if (!cached) throw new Error(`${path} is not there`);
  cached.exports = { ...real, ...change(real) };
}
