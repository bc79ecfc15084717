import { gzipSync } from 'node:zlib';
import { buildWeb, sites, type Site } from '../../../api/web/build';
import { startTestApp, type TestApp } from '../../support/app';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const get = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(app.url + path, init);

async function assetsOf(site: string): Promise<string[]> {
  const html = await (await get(`/${site}`)).text();
  return [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
}

describe.each(Object.keys(sites))('/%s', (site) => {
  it('answers every path below with the same page, which runs and loads only what is ours', async () => {
    const pages = await Promise.all(
      ['', '/', '/commissions', '/a/b/c?mode=live'].map((path) => get(`/${site}${path}`)),
    );
    const texts = new Set(await Promise.all(pages.map((page) => page.text())));
    expect(texts.size).toBe(1);
    for (const { status, headers } of pages) {
      expect(status).toBe(200);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "frame-ancestors 'none'",
          "base-uri 'none'",
          "form-action 'self'",
        ]),
      );
      expect(policy).not.toMatch(/unsafe/);
      expect(headers.get('cache-control')).toBe('no-cache');
    }
  });

  it('keeps its files for ever, since their names change with their bytes', async () => {
    const assets = await assetsOf(site);
    expect(assets).toHaveLength(2);
    for (const path of assets) {
      const file = await get(path);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get('cache-control')).toMatch(/immutable/);
      const again = await get(path, {
        headers: { 'If-None-Match': file.headers.get('etag') ?? '' },
      });
      expect(again.status).toBe(304);
    }
  });

  it('has no page in place of a file that is gone, so that an old page learns it', async () => {
    expect((await get(`/${site}/assets/app-GONE.js`)).status).toBe(404);
  });

  it('changes nothing: a POST is 404', async () => {
    expect((await get(`/${site}`, { method: 'POST' })).status).toBe(404);
  });
});

it('names the shop to practise with where the stack has one', async () => {
  expect(await (await get('/app')).text()).not.toContain('demo-shop');
  const withShop = await startTestApp({ DEMO_SHOP_URL: 'http://127.0.0.1:4009' });
  const page = await (await fetch(`${withShop.url}/app`)).text();
  await withShop.close();
  expect(page).toContain('<meta name="demo-shop" content="http://127.0.0.1:4009/">');
});

const mailPages = [
  '/verify-email',
  '/reset-password',
  '/accept-invite',
  '/partner-invite',
  '/claim',
];

it.each(mailPages)(
  '%s of a mail is a page of the same kind, whose address goes nowhere',
  async (path) => {
    const page = await get(`${path}?token=x`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    const files = [...(await page.text()).matchAll(/(?:src|href)="(\/[^"]+)"/g)];
    expect(files).toHaveLength(2);
    for (const [, file] of files) expect((await get(file ?? '')).status).toBe(200);
  },
);

it('the dashboard is not there with DASHBOARD=off, and a small page of its own script opens from a mail', async () => {
  const without = await startTestApp({ DASHBOARD: 'off' });
  expect((await fetch(`${without.url}/app`)).status).toBe(404);
  for (const path of mailPages) {
    const { status, headers } = await fetch(without.url + path);
    expect([path, status]).toEqual([path, 200]);
    expect(headers.get('content-security-policy')).toContain("script-src 'sha256-");
  }
  await without.close();
});

describe('what a browser loads', () => {
  const { assets, entries, metafile } = buildWeb();
  const sizeOf = (name: string): number => gzipSync(assets.get(name) ?? '').length;
  const outputs = Object.entries(metafile.outputs).map(
    ([file, output]) => [file.split('/').at(-1) ?? '', output] as const,
  );
  const importsOf = (name: string, kind: string): string[] =>
    (outputs.find(([one]) => one === name)?.[1].imports ?? [])
      .filter((one) => one.kind === kind)
      .map(({ path }) => path.split('/').at(-1) ?? '');
  /** A file and all that it imports before it runs. */
  const withImports = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const imported of importsOf(name, 'import-statement')) withImports(imported, seen);
    return seen;
  };
  const total = (names: Iterable<string>): number =>
    [...names].reduce((sum, name) => sum + sizeOf(name), 0);

  it.each(Object.keys(sites) as Site[])(
    'of /%s before its first page is at most 200 kB',
    (site) => {
      const first = withImports(entries[site].script);
      expect(total(first)).toBeGreaterThan(50_000);
      expect(total(first)).toBeLessThanOrEqual(200_000);
    },
  );

  it.each(Object.keys(sites) as Site[])('of /%s for a further route is at most 60 kB', (site) => {
    const first = withImports(entries[site].script);
    const routes = importsOf(entries[site].script, 'dynamic-import');
    expect(routes.length).toBeGreaterThan(5);
    for (const route of routes) {
      const further = [...withImports(route)].filter((name) => !first.has(name));
      expect([route, total(further) <= 60_000]).toEqual([route, true]);
    }
  });
});
