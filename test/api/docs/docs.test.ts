import type * as staticFile from '../../../api/http/server/static-file';
import { docsPages } from '../../../api/docs/pages';
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
  '/api/docs/index',
  '/api/docs/integrate',
  '/api/docs/integrate.md',
  '/api/docs/operators/erasure-watched.webp',
  '/api/docs/webhooks',
  '/api/docs/webhooks.md',
  '/api/docs/reference',
  '/api/docs/reference/commissions',
  '/api/docs/reference/commissions.md',
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
    // A picture is compressed by its own form.
    expect([plain[0], zipped[0]]).toEqual([null, path.endsWith('.webp') ? null : 'gzip']);
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
    expect(links.length).toBeGreaterThan(5);
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
      Object.values(found).flatMap((operation) => operation['x-client-method'] ?? []),
    );
    expect(methods.length).toBeGreaterThan(150);
    expect(methods.filter((name) => !text.includes(`\`client.${name}\``))).toEqual([]);
  });
});

const hrefsOf = (html: string): string[] =>
  [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, href = '']) => href);

describe('the pages', () => {
  const guideUrl = () => `${app.url}/api/docs/integrate`;

  it('name this service, and every link of theirs leads to a page and a heading that are there', async () => {
    const read = new Map<string, string>();
    const open = [`${app.url}/api/docs/index`];
    const broken: string[] = [];
    for (let url = open.shift(); url !== undefined; url = open.shift()) {
      const page = await fetch(url);
      const html = await page.text();
      read.set(url, html);
      if (page.status !== 200) broken.push(url);
      if (!html.includes('<main>')) continue;
      for (const href of hrefsOf(html)) {
        const target = new URL(href, url);
        target.hash = '';
        if (target.origin !== new URL(app.url).origin || read.has(target.href)) continue;
        if (!open.includes(target.href)) open.push(target.href);
      }
    }
    for (const [url, html] of read) {
      if (!html.includes('<main>')) continue;
      for (const href of hrefsOf(html)) {
        const { href: whole, hash } = new URL(href, url);
        const target = read.get(whole.replace(/#.*$/, ''));
        if (
          hash !== '' &&
          target &&
          !target.includes(`id="${decodeURIComponent(hash).slice(1)}"`)
        ) {
          broken.push(`${url} -> ${href}`);
        }
      }
    }
    expect(broken).toEqual([]);
    const names = [...read.keys()].map((url) => new URL(url).pathname.replace('/api/docs/', ''));
    const shown = docsPages(app.url).map(({ name }) => name);
    expect(shown.filter((name) => !names.includes(name))).toEqual([]);
    expect(shown).toEqual(
      expect.arrayContaining(['for-partners', 'operators', 'how-it-compares', 'why', 'client']),
    );
    const guide = read.get(guideUrl()) ?? '';
    expect(guide).toContain('<h1 id="from-nothing-to-the-first-attributed-sale">');
    expect(guide).not.toContain('api.example.com');
    expect(guide).toContain(`${app.deps.config.publicBaseUrl}/v1/selgeo.js`);
    expect(guide).toContain('href="webhooks"');
  });

  it('lead on as text, too', async () => {
    const text = await (await fetch(`${app.url}/api/docs/reference/requests.md`)).text();
    const hrefs = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, href = '']) => href);
    for (const href of hrefs) {
      const url = new URL(href, `${app.url}/api/docs/reference/requests.md`);
      expect([href, (await fetch(url)).status]).toEqual([href, 200]);
    }
    const guide = await (await fetch(`${app.url}/api/docs/integrate.md`)).text();
    expect(guide).toContain('](webhooks.md)');
  });

  it('have the ways in of the first page beside them', async () => {
    const html = await (await fetch(`${app.url}/api/docs/reference/clicks`)).text();
    for (const heading of ['Merchants', 'Partners', 'Developers', 'Operators']) {
      expect(html).toContain(`<h2>${heading}</h2>`);
    }
    expect(hrefsOf(html)).toEqual(
      expect.arrayContaining(['../for-partners', '../reference/payouts', '../how-it-compares']),
    );
  });

  it('show examples of several languages as tabs, and others as they are', async () => {
    const html = await (await fetch(guideUrl())).text();
    const groups = [...html.matchAll(/<div class="tabs">([^]*?)<\/div>/g)];
    const labels = groups.map(([, group = '']) =>
      [...group.matchAll(/<label[^>]*>([^<]+)</g)].map(([, label]) => label),
    );
    const both = ['Node.js', 'Python'];
    const signUps = ['Better Auth', 'Supabase'];
    const webhooks = ['Express', 'Koa', 'Next.js', 'Python, Flask'];
    expect(labels).toEqual([both, both, both, signUps, webhooks]);
    for (const [, group = ''] of groups) {
      const [inputs, examples] = [/<input /g, /<pre>/g].map((one) => group.match(one)?.length);
      expect(inputs).toBe(examples);
    }
    expect(html).not.toContain('<p>Python:</p>');
  });

  it('load nothing but their style', async () => {
    const { headers } = await fetch(guideUrl());
    expect(headers.get('content-security-policy')).toContain(
      "default-src 'none'; style-src 'self'; img-src 'self';",
    );
  });

  it('are where the API reference begins', async () => {
    const document = await (await fetch(`${app.url}/api/openapi.json`)).json();
    const url = `${app.deps.config.publicBaseUrl}/api/docs/integrate`;
    expect(document).toMatchObject({ externalDocs: { url } });
    expect(await (await fetch(`${app.url}/api/docs`)).text()).toContain('href="docs/integrate"');
  });
});

describe('the search', () => {
  const found = async (phrase: string) => {
    const answer = await fetch(`${app.url}/api/docs/search?q=${encodeURIComponent(phrase)}`);
    return { status: answer.status, html: await answer.text() };
  };

  it.each([
    ['rotate secret', 'webhooks#rotate-the-secret'],
    ['DEAD_LETTER attempts', 'webhooks#when-you-are-away'],
    ['content security policy', 'integrate#content-security-policy'],
    ['idempotency-key replayed', 'reference/requests#idempotency'],
    ['report a conversion', '../docs#/Conversions/reportConversion'],
  ])('finds %s', async (phrase, href) => {
    const { html } = await found(phrase);
    expect(hrefsOf(html)).toContain(href);
    const target = new URL(href, `${app.url}/api/docs/search`);
    expect((await fetch(target)).status).toBe(200);
  });

  it('says when there is nothing, and shows a phrase as text', async () => {
    expect((await found('')).html).toContain('Type some words');
    const { status, html } = await found('<script>alert(1)</script>"');
    expect(status).toBe(200);
    expect(html).toContain('Nothing has');
    expect(html).not.toContain('<script>');
    expect((await found('x'.repeat(201))).status).toBe(400);
  });
});
