import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipOf } from './zip.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

/** A wheel of the package, written without Python: the same sources give the same bytes. */
function writeWheel(folder) {
  const { name, version, metadata } = projectOf(
    readFileSync(path.join(here, 'pyproject.toml'), 'utf8'),
  );
  const module = name.replaceAll('-', '_');
  const info = `${module}-${version}.dist-info`;
  const root = path.join(here, 'src', module);
  const sources = readdirSync(root, { recursive: true })
    .filter((file) => /\.py$|py\.typed$/.test(file))
    .sort()
    .map((file) => [`${module}/${file}`, readFileSync(path.join(root, file))]);
  const files = [
    ...sources,
    [`${info}/licenses/LICENSE`, readFileSync(path.join(here, 'LICENSE'))],
    [`${info}/METADATA`, Buffer.from(metadata)],
    [
      `${info}/WHEEL`,
      Buffer.from(
        'Wheel-Version: 1.0\nGenerator: wheel.mjs\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
      ),
    ],
  ];
  const record = files.map(([file, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    return `${file},sha256=${hash},${bytes.length}\n`;
  });
  files.push([`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`)]);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${module}-${version}-py3-none-any.whl`), zipOf(files));
}

/** What pyproject.toml says, as a wheel says it. */
function projectOf(text) {
  const one = (key) => new RegExp(`^${key} = "(.*)"$`, 'm').exec(text)?.[1] ?? '';
  const [, list = ''] = /^dependencies = \[(.*)\]$/m.exec(text) ?? [];
  const dependencies = [...list.matchAll(/"([^"]+)"/g)].map(([, dependency]) => dependency);
  const [name, version] = [one('name'), one('version')];
  const metadata = [
    'Metadata-Version: 2.4',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${one('description')}`,
    `License-Expression: ${one('license')}`,
    'License-File: LICENSE',
    `Requires-Python: ${one('requires-python')}`,
    ...dependencies.map((dependency) => `Requires-Dist: ${dependency}`),
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(path.join(here, 'README.md'), 'utf8'),
  ].join('\n');
  return { name, version, metadata };
}

writeWheel(path.resolve(process.argv[2] ?? path.join(here, 'dist')));
