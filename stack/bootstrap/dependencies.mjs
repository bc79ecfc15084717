import { readFileSync } from 'node:fs';
import path from 'node:path';
import { npmCommand } from './npm.mjs';
import { ROOT, run } from './run.mjs';

/**
 * Whether node_modules holds what package-lock.json asks for; npm writes down what it installed. Packages of
 * this repository are links there, whatever their version.
 */
export function areDependenciesInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(
    ([name, { version, optional }]) =>
      !name.includes('node_modules/') || optional || installed[name]?.version === version,
  );
}

export const dependenciesTask = {
  title: 'npm packages',
  async run(report) {
    if (areDependenciesInstalled()) return 'installed';
    // Building needs the development packages, whatever NODE_ENV says.
    const flags = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=http'];
    const [command, ...args] = npmCommand(['ci', ...flags]);
    await run(command, args, { onLine: report });
    return 'installed now';
  },
};

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}
