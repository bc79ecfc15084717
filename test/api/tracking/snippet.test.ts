import { createHash } from 'node:crypto';
import { buildSnippet } from '../../../api/snippet/build';
import { useApp } from '../../support/app';

const app = useApp();

const get = (headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${app.url}/v1/selgeo.js`, { method, headers });

describe('GET /v1/selgeo.js', () => {
  it('gives out the built script to every page', async () => {
    const response = await get({ Origin: 'https://shop.example' });

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('cache-control')).toContain('max-age=');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(await response.text()).toBe(buildSnippet().code);
  });

  it('answers 304 to a browser that has it', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    const same = await get({ 'If-None-Match': `"old", W/${etag}` });
    const other = await get({ 'If-None-Match': '"old"' });

    expect(same.status).toBe(304);
    expect(same.headers.get('etag')).toBe(etag);
    expect(same.headers.get('cache-control')).toContain('max-age=');
    expect(await same.text()).toBe('');
    expect(other.status).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const response = await get({ 'Accept-Encoding': 'identity' }, 'HEAD');

    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBe(buildSnippet().code.length);
    expect(await response.text()).toBe('');
  });
});

describe('both addresses of the script', () => {
  const paths = ['/v1/selgeo.js', buildSnippet().pinnedPath];
  const getAs = (path: string, encoding: string, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { headers: { 'Accept-Encoding': encoding, ...headers } });

  it.each(paths)('%s sends it compressed to who takes that', async (path) => {
    const zipped = await getAs(path, 'gzip, br');
    expect(zipped.headers.get('content-encoding')).toBe('gzip');
    expect(Number(zipped.headers.get('content-length'))).toBeLessThanOrEqual(2_048);
    expect(zipped.headers.get('vary')).toContain('Accept-Encoding');
    expect(await zipped.text()).toBe(buildSnippet().code);

    const plain = await getAs(path, 'identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('vary')).toContain('Accept-Encoding');
    expect(await plain.text()).toBe(buildSnippet().code);
    const etags = [zipped, plain].map(({ headers }) => headers.get('etag') ?? '');
    expect(new Set(etags).size).toBe(2);
    for (const etag of etags) {
      expect((await getAs(path, 'gzip', { 'If-None-Match': etag })).status).toBe(304);
    }
  });
});

describe('GET /v1/selgeo.<hash>.js', () => {
  const snippet = buildSnippet();
  const pinned = (path = snippet.pinnedPath, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { headers });

  it('gives out the same bytes for a year, to pages that check them', async () => {
    const response = await pinned();
    const body = await response.text();

    expect(response.status).toBe(200);
    expect(body).toBe(snippet.code);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(snippet.integrity).toBe(`sha384-${createHash('sha384').update(body).digest('base64')}`);
  });

  it('answers 304 to a browser that has it', async () => {
    const response = await pinned(undefined, { 'If-None-Match': snippet.etag });
    expect(response.status).toBe(304);
  });

  it('knows no other hash', async () => {
    for (const path of ['/v1/selgeo.0123456789abcdef.js', '/v1/selgeo..js', '/v1/selgeo.x']) {
      const response = await pinned(path);
      expect(response.status).toBe(404);
      expect(((await response.json()) as { code: string }).code).toBe('NOT_FOUND');
    }
  });
});
