import { readFileSync } from 'node:fs';

/** Every workflow type that there is, sorted. */
export function workflowTypes(): string[] {
  const exported = readFileSync(require.resolve('../../../workflows'), 'utf8');
  return [...exported.matchAll(/\{([^}]+)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .sort();
}
