import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildSync } from 'esbuild';
import { agentsPage } from './docs/agents';
import { buildMainDocument, waitlistDocument } from './docs/documents';
import { docsAssets, docsPage } from './docs/page';
import { asFiles } from './docs/pages';
import { docsSite, type Site } from './docs/site';
import { buildDocument } from './http/contract/openapi';
import { routes } from './routes';

/** The address that stands for a service where none is known. */
const anyService = 'https://api.example.com';

/** The documentation as files for any host or disk, by path: the pages that a service shows. */
export function siteFiles(serverUrl = anyService): Map<string, string | Buffer> {
  const main = buildMainDocument(routes, serverUrl);
  const waitlist = buildDocument(routes, waitlistDocument(serverUrl));
  const site = docsSite(serverUrl, asFiles, () => main);
  const files = Object.entries({
    ...docsAssets,
    ...site.files,
    api: () => docsPage(main, asFiles),
    'agents.md': () => agentsPage(main),
    search: () => site.searchPage('<script src="search.js"></script>'),
  }).map(([name, build]): [string, string | Buffer] => {
    const { type, body } = build();
    return [type === 'html' ? name + asFiles.pageEnd : name, body];
  });
  return new Map([
    ...files,
    ['search.js', searchScript(site)],
    ['openapi.json', JSON.stringify(main)],
    ['public/openapi.json', JSON.stringify(waitlist)],
  ]);
}

/** The search of a service, and what it looks in, as a script that asks nobody. */
function searchScript(site: Site): string {
  const entry = `import { searchOver } from './found'; export { searchOver };`;
  const built = buildSync({
    stdin: { contents: entry, resolveDir: join(__dirname, 'docs'), loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    globalName: 'docs',
  });
  const [script] = built.outputFiles;
  return `${script?.text ?? ''}
const phrase = new URLSearchParams(location.search).get('q') ?? '';
document.querySelector('[name=q]').value = phrase;
document.querySelector('.hits').innerHTML = docs.searchOver(${JSON.stringify(site.entries())})(phrase);
`;
}

/** `npm run docs [-- folder [address of a service]]`: `site/` unless another one is named. */
if (require.main === module) {
  const [, , folder = 'site', serverUrl] = process.argv;
  const files = siteFiles(serverUrl);
  for (const [name, body] of files) {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, body);
  }
  process.stdout.write(`${files.size} files in ${folder}: open ${join(folder, 'index.html')}\n`);
}
