import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Every workflow type that there is, sorted; of another checkout where one is given. */
export function workflowTypes(checkout = path.join(__dirname, '../../..')): string[] {
  const exported = readFileSync(path.join(checkout, 'workflows/index.ts'), 'utf8');
  return [...exported.matchAll(/\{([^}]+)\}/g)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .sort();
}
