import { posix } from 'node:path';
import { docsPages } from '../../../api/docs/pages';
import { siteFiles } from '../../../api/write-site';

/** What `npm run docs` writes, as it lies in its folder. */
const files = siteFiles();
const html = [...files].flatMap(([name, body]): [string, string][] =>
  name.endsWith('.html') ? [[name, String(body)]] : [],
);

const linksOf = (text: string): string[] =>
  [...text.matchAll(/ (?:href|src|action)="([^"]+)"/g)].map(([, link = '']) => link);

/** Nothing where it leads to a file and a heading that are there. */
function faultOf(from: string, link: string): string | undefined {
  if (/^(https?|mailto):/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : posix.join(posix.dirname(from), path);
  const body = files.get(target);
  // The reference draws its operations by a script.
  const isThere = anchor === undefined || anchor.startsWith('/');
  return body && (isThere || String(body).includes(`id="${decodeURIComponent(anchor)}"`))
    ? undefined
    : `${from}: ${link}`;
}

it('the site has every page that a service shows, and the reference of the API', () => {
  const names = docsPages('').map(({ name }) => `${name}.html`);
  expect(html.map(([name]) => name).sort()).toEqual([...names, 'api.html', 'search.html'].sort());
  expect(files.get('openapi.json')).toContain('"openapi":"3.0.3"');
});

it('the site has no link that leads nowhere, and none to a server', () => {
  const faults = html.flatMap(([name, body]) =>
    linksOf(body).flatMap((link) => faultOf(name, link) ?? []),
  );
  expect(faults).toEqual([]);
  expect(html.flatMap(([, body]) => linksOf(body)).length).toBeGreaterThan(2_000);
  expect(html.flatMap(([, body]) => linksOf(body)).filter((link) => link.startsWith('/'))).toEqual(
    [],
  );
});
