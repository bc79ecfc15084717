import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { npm, packedClient } from '../../support/packed-client';

const root = path.join(__dirname, '../../..');
const folder = mkdtempSync(path.join(tmpdir(), 'sign-up-'));
const appFolder = path.join(folder, 'app');
afterAll(() => rmSync(folder, { recursive: true }));

/** Each is as large as all that this service installs together: they come at night only. */
const packages = [
  ...['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1', '@types/react@19.3.0'],
  ...['@types/node@20.19.43', 'next-auth@4.24.15', '@clerk/nextjs@7.9.17', 'better-auth@1.7.25'],
  ...['@supabase/supabase-js@2.119.1', '@supabase/ssr@0.12.7'],
];
/** What the examples take from a merchant's own files. */
const own = {
  later: 'export declare const later: (work: () => Promise<unknown>) => void;',
  adapter: `import type { Adapter } from 'next-auth/adapters';
    export declare const adapter: Adapter;`,
  database: `import type { BetterAuthOptions } from 'better-auth';
    export declare const database: NonNullable<BetterAuthOptions['database']>;`,
};
const compilerOptions = {
  ...{ module: 'esnext', moduleResolution: 'bundler', strict: true, skipLibCheck: true },
  ...{ noEmit: true, jsx: 'react-jsx', target: 'es2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
  ...{ types: ['node'], allowJs: true, esModuleInterop: true },
};

beforeAll(() => {
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  const flags = ['--ignore-scripts', '--legacy-peer-deps'];
  npm(['install', packedClient().tarball, ...packages, ...flags], folder);
  for (const name of ['app', 'lib']) mkdirSync(path.join(folder, name));
  for (const [name, text] of Object.entries(own)) {
    writeFileSync(path.join(folder, 'lib', `${name}.ts`), text);
  }
  cpSync(path.join(root, 'docs/integrate/sign-up.mjs'), path.join(appFolder, 'sign-up.mjs'));
}, 600_000);

/** What the compiler says of an example that stands in the merchant's project. */
function problemsOf(name: string, change = (text: string) => text): string {
  const text = readFileSync(path.join(root, 'docs/integrate', name), 'utf8');
  const changed = change(text);
  writeFileSync(path.join(appFolder, name), changed);
  const include = [path.join(appFolder, name)];
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const compiler = path.join(root, 'node_modules/typescript7/bin/tsc');
  return spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' }).stdout;
}

it.each([
  ['sign-up-authjs.ts', 'createUser', 'madeUser'],
  ['sign-up-clerk.tsx', "'user.created'", "'user.made'"],
  ['sign-up-better-auth.ts', 'getCookie', 'cookie'],
  ['sign-up-supabase.ts', 'exchangeCodeForSession', 'exchangeCode'],
])(
  'compiles %s, and would not with another name',
  (name, right, wrong) => {
    expect(problemsOf(name)).toBe('');
    expect(problemsOf(name, (text) => text.replace(right, wrong))).toContain('error TS');
  },
  120_000,
);
