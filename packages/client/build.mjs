import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const target = path.resolve(process.argv[2] ?? path.join(here, 'dist'));
const manifest = createRequire(import.meta.url).resolve('typescript7/package.json');
const compiler = path.join(path.dirname(manifest), 'bin/tsc');
const forms = {
  esm: [],
  cjs: ['--module', 'commonjs', '--moduleResolution', 'bundler'],
};

// ES modules and CommonJS, each with its own types: what `npm pack` puts into the package.
rmSync(target, { recursive: true, force: true });
for (const [form, options] of Object.entries(forms)) {
  const folder = path.join(target, form);
  mkdirSync(folder, { recursive: true });
  const type = form === 'esm' ? 'module' : 'commonjs';
  writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
  const args = [compiler, '-p', here, '--outDir', folder, ...options];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
}
