import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { copyShown } from '../stack/bootstrap/build.mjs';
import { imageNode } from '../stack/bootstrap/image-node.mjs';

// Compiles everything beside the build of a running service, then runs one bench on the image's Node.js, whose
// promises and collector cost other sums than an older one's: node bench/run.mjs clicks [arguments]
const root = path.join(import.meta.dirname, '..');
const target = path.join(root, '.stack', 'bench');
const folders = [
  ...['api', 'activities', 'bench', 'entities', 'runtime', 'stack', 'workers', 'workflows'],
  // What benches share with tests.
  'test/support/workers',
];
const [name, ...rest] = process.argv.slice(2);
if (!name) throw new Error('Which bench? node bench/run.mjs clicks');

const node = await imageNode();
const swc = path.join(root, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
run([swc, ...folders, '-d', target, '--copy-files', '--quiet']);
// The API makes the browser script from its source.
const script = path.join('api', 'snippet', 'selgeo.ts');
copyFileSync(path.join(root, script), path.join(target, script));
copyShown(target);
run([path.join(target, 'bench', `${name}.js`), ...rest]);

function run(args) {
  const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
