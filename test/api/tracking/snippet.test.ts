import { buildSnippet } from '../../../api/snippet/build';
import { startTestApp, type TestApp } from '../../support/app';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

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
    const response = await get({}, 'HEAD');

    expect(response.status).toBe(200);
    expect(Number(response.headers.get('content-length'))).toBe(buildSnippet().code.length);
    expect(await response.text()).toBe('');
  });
});
