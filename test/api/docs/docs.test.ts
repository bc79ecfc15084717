import type * as staticFile from '../../../api/http/server/static-file';
import { useApp } from '../../support/app';

const mockCounted = { builds: 0 };

/** Counts how often any of them is built. */
jest.mock('../../../api/http/server/static-file', () => {
  const actual = jest.requireActual<typeof staticFile>('../../../api/http/server/static-file');
  return {
    ...actual,
    serveOnce: (build: () => staticFile.StaticFile) =>
      actual.serveOnce(() => {
        mockCounted.builds += 1;
        return build();
      }),
  };
});

const app = useApp();

const paths = [
  '/api/openapi.json',
  '/api/public/openapi.json',
  '/api/docs',
  '/api/docs/swagger-ui-bundle.js',
  '/api/docs/page.js',
  '/api/docs/page.css',
  '/api/docs/agents.md',
  '/api/docs/integrate',
  '/api/docs/integrate.md',
  '/api/docs/guide.css',
  '/llms.txt',
];

describe('the documents', () => {
  it.each(paths)('%s is built once, however often it is asked for', async (path) => {
    const ask = async () => (await fetch(app.url + path)).text();
    await ask();
    const { builds } = mockCounted;
    await Promise.all([ask(), ask(), ask()]);
    expect(mockCounted.builds).toBe(builds);
    expect(builds).toBeGreaterThan(0);
  });

  it.each(paths)('%s has an entity tag, and is 304 for whoever has it', async (path) => {
    const first = await fetch(app.url + path);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, etag]).toEqual([200, expect.stringMatching(/^W\/"[\w-]{27}"$/)]);
    expect(first.headers.get('vary')).toContain('Accept-Encoding');
    const again = await fetch(app.url + path, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    const stale = await fetch(app.url + path, { headers: { 'If-None-Match': '"other"' } });
    expect([stale.status, await stale.text()]).toEqual([200, await first.text()]);
  });

  it.each(paths)('%s is compressed only for whoever takes that', async (path) => {
    const encoding = async (accepted: string) => {
      const response = await fetch(app.url + path, { headers: { 'Accept-Encoding': accepted } });
      return [response.headers.get('content-encoding'), (await response.text()).length];
    };
    const [plain, zipped] = [await encoding('identity'), await encoding('gzip')];
    expect([plain[0], zipped[0]]).toEqual([null, 'gzip']);
    expect(zipped[1]).toBe(plain[1]);
  });

  it('say nothing but 404 of other files', async () => {
    for (const name of ['package.json', 'toString', '..%2Fpage.js']) {
      expect((await app.client.get(`/api/docs/${name}`)).status).toBe(404);
    }
  });

  it('let the page load from its own origin only', async () => {
    const { headers } = await app.client.get('/api/docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/https?:|\*/);
  });
});

describe('what coding agents read', () => {
  it('leads from llms.txt to pages that are there', async () => {
    const index = await (await fetch(`${app.url}/llms.txt`)).text();
    expect(index).toMatch(/^# Affiliate Programme Service\n\n> /);
    const links = [...index.matchAll(/\]\((\S+)\)/g)].map(
      ([, link = '']) => new URL(link).pathname,
    );
    expect(links).toHaveLength(5);
    for (const link of links)
      expect([link, (await fetch(app.url + link)).status]).toEqual([link, 200]);
  });

  it('names every operation by its client method', async () => {
    const page = await fetch(`${app.url}/api/docs/agents.md`);
    expect(page.headers.get('content-type')).toContain('text/markdown');
    const text = await page.text();
    const document = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Record<string, string>>>;
    };
    const methods = Object.values(document.paths).flatMap((found) =>
      Object.values(found).map((operation) => operation['x-client-method'] ?? ''),
    );
    expect(methods.length).toBeGreaterThan(150);
    expect(methods.filter((name) => !text.includes(`\`client.${name}\``))).toEqual([]);
  });
});

describe('the guide', () => {
  const guideUrl = () => `${app.url}/api/docs/integrate`;

  it('is a page whose examples name this service, and whose links lead somewhere', async () => {
    const page = await fetch(guideUrl());
    expect(page.headers.get('content-type')).toContain('text/html');
    const html = await page.text();
    expect(html).toContain('<h1 id="from-nothing-to-the-first-attributed-sale">');
    expect(html).not.toContain('api.example.com');
    expect(html).toContain(`${app.deps.config.publicBaseUrl}/v1/selgeo.js`);
    const links = [...html.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(4);
    for (const href of links) {
      const { pathname, hash } = new URL(href, guideUrl());
      expect([href, (await fetch(app.url + pathname)).status]).toEqual([href, 200]);
      if (hash !== '') expect(html).toContain(`id="${hash.slice(1)}"`);
    }
  });

  it('loads nothing but its style', async () => {
    const { headers } = await fetch(guideUrl());
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'self'",
    );
  });

  it('is where the API reference begins', async () => {
    const document = await (await fetch(`${app.url}/api/openapi.json`)).json();
    const url = `${app.deps.config.publicBaseUrl}/api/docs/integrate`;
    expect(document).toMatchObject({ externalDocs: { url } });
    expect(await (await fetch(`${app.url}/api/docs`)).text()).toContain('href="docs/integrate"');
  });
});
