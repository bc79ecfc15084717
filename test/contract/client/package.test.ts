import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import ts from 'typescript';
import { agentsGuide } from '../../../api/docs/agents-guide';
import { openApiFiles } from '../../../api/write-documents';
import { clientMethod } from '../../../api/docs/client-names';
import { routes } from '../../../api/routes';
import { operations } from '../../../packages/client/src/generated/operations';
import { isNightly } from '../../support/run/nightly';
import { packedClient, type PackedClient } from '../../support/packed-client';

const root = path.join(__dirname, '../../..');
const source = path.join(root, 'packages/client');
/** Merchants have one or the other; the older one takes ten times as long, so it is for the nights. */
const compilers = [
  path.join(root, 'node_modules/typescript7/bin/tsc'),
  ...(isNightly ? [path.join(root, 'node_modules/typescript/bin/tsc')] : []),
];
const folder = mkdtempSync(path.join(tmpdir(), 'client-'));
afterAll(() => rmSync(folder, { recursive: true }));

function node(args: string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}`.slice(0, 4_000));
  return stdout;
}

/** Types that could not be found would be any, and then nothing here would be an error. */
const notAny = `import { verifyWebhook, type AffiliateClient } from 'affiliate-programme-client';
import { affiliateWebhook } from 'affiliate-programme-client/express';
affiliateWebhook({ secrets: [] }, (event) => {
  // @ts-expect-error: no kind of event
  if (event.type === 'nothing.happened') return;
  if (event.type === 'payout.created') {
    // @ts-expect-error: of another event
    console.log(event.data.object.external_transaction_id);
  }
});
export async function misuse(client: AffiliateClient, error: unknown): Promise<void> {
  // @ts-expect-error: a field is missing
  await client.conversions.report({ event_type: 'purchase' });
  // @ts-expect-error: no code of this operation
  if (client.conversions.report.refused(error) && error.code === 'PAYOUT_NOT_FOUND') return;
  // A value that may be missing is passed on as it is.
  const clickId: string | undefined = error ? 'c-1' : undefined;
  await client.conversions.report({
    ...{ external_transaction_id: '1', event_type: 'purchase' },
    click_id: clickId,
  });
  // @ts-expect-error: an event is no text
  const text: string = verifyWebhook({ body: '', headers: {}, secrets: '' });
}
`;

const filesOf = (where: string): Record<string, string> =>
  Object.fromEntries(
    [
      'README.md',
      ...readdirSync(path.join(where, 'src/generated')).map((n) => `src/generated/${n}`),
    ].map((name) => [name, readFileSync(path.join(where, name), 'utf8')]),
  );

it('the client is what the generator makes of the document today; else run npm run openapi', () => {
  const document = path.join(folder, 'openapi.json');
  writeFileSync(document, openApiFiles()['openapi.json'] ?? '');
  const fresh = path.join(folder, 'fresh');
  node([path.join(source, 'generate.mjs'), document, fresh]);
  const [committed, now] = [filesOf(source), filesOf(fresh)];
  expect(Object.keys(committed).sort()).toEqual(Object.keys(now).sort());
  const stale = Object.keys(now).filter((name) => committed[name] !== now[name]);
  expect(stale).toEqual([]);
});

it('the client has the version and licence of the whole, and says what changed with it', () => {
  const textOf = (...name: string[]) => readFileSync(path.join(...name), 'utf8');
  const { version } = JSON.parse(textOf(root, 'package.json')) as { version: string };
  expect(JSON.parse(textOf(source, 'package.json'))).toMatchObject({ version });
  expect(JSON.parse(openApiFiles()['openapi.json'] ?? '')).toMatchObject({ info: { version } });
  expect(textOf(source, 'CHANGELOG.md')).toContain(`\n## ${version}\n`);
  expect(textOf(source, 'LICENSE')).toBe(textOf(root, 'LICENSE'));
});

it('the client has one method for each operation that a program calls', () => {
  const lines = Object.values(operations).flatMap((methods) => Object.values<string>(methods));
  const isWaitlist = (url: string) => url.startsWith('/api/public/waitlist');
  const isCalled = ({ tag, name }: (typeof routes)[number]) =>
    clientMethod(tag, name) !== undefined;
  const wanted = routes.filter((route) => !isWaitlist(route.path) && isCalled(route));
  expect(wanted.filter(({ tag }) => ['Inbound', 'Pages', 'Health'].includes(tag))).toEqual([]);
  const urlOf = (url: string) => url.replace(/:(\w+)/g, '{$1}');
  expect(
    lines.map((line) => line.replace(/[*~]/, '').split(' ').slice(0, 2).join(' ')).sort(),
  ).toEqual(wanted.map(({ method, path: url }) => `${method.toUpperCase()} ${urlOf(url)}`).sort());
});

it('the client has at most 1,200 lines that are written by hand', () => {
  const names = readdirSync(path.join(source, 'src')).filter((name) => name.endsWith('.ts'));
  const lines = names.flatMap((name) =>
    readFileSync(path.join(source, 'src', name), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  expect(lines.length).toBeGreaterThan(300);
  expect(lines.length).toBeLessThanOrEqual(1_200);
});

it('costs a page that reports a sale at most 7,500 bytes', () => {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { AffiliateClient } from './src/index.ts';
        const client = new AffiliateClient({ apiKey: 'pk_test_x', baseUrl: 'https://api.example.com' });
        void client.conversions.report({ external_transaction_id: 'a', event_type: 'purchase' });`,
      resolveDir: source,
      loader: 'ts',
    },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false },
  });
  const script = outputFiles[0]?.contents ?? new Uint8Array();
  expect(script.length).toBeGreaterThan(5_000);
  expect(gzipSync(script).length).toBeLessThanOrEqual(7_500);
});

describe('packed and installed into an empty project', () => {
  let packed: PackedClient;
  let project: string;
  beforeAll(() => {
    packed = packedClient();
    // A copy, since other suites use it as it is.
    project = path.join(folder, 'project');
    cpSync(packed.project, project, { recursive: true });
  }, 120_000);

  it('holds what is built, its README, changelog and licence, and nothing else', () => {
    const names = execFileSync('tar', ['-tzf', packed.tarball], { encoding: 'utf8' })
      .trim()
      .split('\n');
    const wanted = /^package\/(dist\/|README\.md$|CHANGELOG\.md$|LICENSE$|package\.json$)/;
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !wanted.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['package/LICENSE', 'package/CHANGELOG.md']));
  });

  it('brings nothing with it', () => {
    expect(
      readdirSync(path.join(project, 'node_modules')).filter((name) => name[0] !== '.'),
    ).toEqual(['affiliate-programme-client']);
  });

  const subpaths = ['', '/next', '/express', '/koa', '/stripe', '/paddle', '/polar'];
  const use = `const client = new AffiliateClient({ apiKey: 'sk_test_x', baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    client.conversions.list().catch((error) => console.log(error instanceof AffiliateError, error.code));`;

  it('runs as a module', () => {
    const imports = subpaths.map((name) => `import 'affiliate-programme-client${name}';`).join('');
    writeFileSync(
      path.join(project, 'a.mjs'),
      `${imports}import { AffiliateClient, AffiliateError } from 'affiliate-programme-client';${use}`,
    );
    expect(node(['a.mjs'], project)).toBe('true NETWORK_ERROR\n');
  });

  it('runs as CommonJS', () => {
    const requires = subpaths
      .map((name) => `require('affiliate-programme-client${name}');`)
      .join('');
    writeFileSync(
      path.join(project, 'a.cjs'),
      `${requires}const { AffiliateClient, AffiliateError } = require('affiliate-programme-client');${use}`,
    );
    expect(node(['a.cjs'], project)).toBe('true NETWORK_ERROR\n');
  });

  it('has its types found under every way of resolving modules', () => {
    const ways = ['Node10', 'Node16', 'NodeNext', 'Bundler'] as const;
    const exports = ['', ...subpaths.slice(1), '/react'];
    const missing = ways.flatMap((way) =>
      exports.filter((name) => {
        const options = { moduleResolution: ts.ModuleResolutionKind[way] };
        const asked = `affiliate-programme-client${name}`;
        const file = path.join(project, 'a.ts');
        const { resolvedModule } = ts.resolveModuleName(asked, file, options, ts.sys);
        return !resolvedModule?.resolvedFileName.endsWith('.d.ts');
      }),
    );
    expect(missing).toEqual([]);
  });

  it('compiles every example of its README and of the page for agents, as a module and as CommonJS', () => {
    // The frameworks of the examples come from here; the package is the installed one.
    for (const name of ['express', 'koa', 'react', 'stripe', '@types']) {
      symlinkSync(path.join(root, 'node_modules', name), path.join(project, 'node_modules', name));
    }
    const readme = readFileSync(path.join(source, 'README.md'), 'utf8');
    const examples = [...readme.matchAll(/^```(tsx?)\n([^]*?)^```$/gm)];
    expect(examples.length).toBeGreaterThan(20);
    const preamble = `import { AffiliateClient } from 'affiliate-programme-client';\ndeclare const client: AffiliateClient;\n`;
    examples.forEach(([, extension, text = ''], i) => {
      const code = /^import /m.test(text) ? text : preamble + text;
      writeFileSync(
        path.join(project, `example-${i}.m${extension}`.replace('.mtsx', '.tsx')),
        code,
      );
    });
    const blocks = agentsGuide('https://api.example.com').matchAll(/^```ts\n([^]*?)^```$/gm);
    [...blocks].forEach(([, code = ''], i) =>
      writeFileSync(path.join(project, `agents-${i}.mts`), code),
    );
    expect(readdirSync(project).filter((name) => name.startsWith('agents-'))).toHaveLength(4);
    for (const name of ['types.cts', 'types.mts']) writeFileSync(path.join(project, name), notAny);
    const options = {
      ...{ module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noEmit: true },
      ...{ jsx: 'react-jsx', target: 'es2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
      ...{ types: ['node'], esModuleInterop: true, skipLibCheck: true },
    };
    writeFileSync(
      path.join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options }),
    );
    for (const compiler of compilers) node([compiler, '-p', '.'], project);
  }, 120_000);

  it('compiles the examples of the guide that use it', () => {
    const guide = path.join(project, 'guide');
    const folderOf = path.join(guide, 'app/webhooks');
    mkdirSync(folderOf, { recursive: true });
    const names = readdirSync(path.join(root, 'docs/integrate')).filter((name) => {
      const text = readFileSync(path.join(root, 'docs/integrate', name), 'utf8');
      if (!text.includes("from 'affiliate-programme-client")) return false;
      writeFileSync(path.join(folderOf, name), text);
      return true;
    });
    expect(names.length).toBeGreaterThanOrEqual(7);
    mkdirSync(path.join(guide, 'lib'));
    writeFileSync(
      path.join(guide, 'lib/book.js'),
      `/** @param {string} id @param {import('affiliate-programme-client').EventCommissionDto} commission */
       export async function book(id, commission) { console.log(id, commission.amount_cents); }`,
    );
    const options = {
      ...{ module: 'esnext', moduleResolution: 'bundler', allowJs: true, checkJs: true },
      ...{ jsx: 'react-jsx', target: 'es2022', lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
      ...{ types: ['node'], esModuleInterop: true, skipLibCheck: true, noEmit: true },
      // Plain JavaScript says no types of its own.
      ...{ strict: true, noImplicitAny: false, useUnknownInCatchVariables: false },
    };
    writeFileSync(path.join(guide, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    node([path.join(root, 'node_modules/typescript7/bin/tsc'), '-p', '.'], guide);
  }, 120_000);
});
