import { readFileSync } from 'node:fs';
import path from 'node:path';
import { nodeFlags } from '../../stack/supervisor/services';

const root = path.join(__dirname, '..', '..');

/** The flags before each `dist/.../main.js` of a service. */
function flagsIn(file: string): string[][] {
  const text = readFileSync(path.join(root, file), 'utf8');
  const starts = text.matchAll(/\bnode\b([^\n]*?)dist\/(?:api|workers)\/main\.js/g);
  return Array.from(starts, ([, between = '']) => between.match(/--[\w-]+(?:=\w+)?/g) ?? []);
}

it.each([
  ['package.json', 2],
  ['Dockerfile', 1],
  ['docker-compose.yml', 1],
])('%s starts services with the flags of the local stack', (file, services) => {
  expect(flagsIn(file)).toEqual(Array.from({ length: services }, () => nodeFlags));
});
