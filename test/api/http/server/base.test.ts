import { useApp } from '../../../support/app';

const app = useApp();

describe('the base of the API', () => {
  it('tells that it is alive and ready, with each dependency', async () => {
    expect(await app.client.get('/api/v1/health')).toMatchObject({
      status: 200,
      body: { status: 'ok' },
    });
    expect(await app.client.get('/api/v1/health/ready')).toMatchObject({
      status: 200,
      body: { status: 'ready', dependencies: { database: 'up', cache: 'up', temporal: 'up' } },
    });
  });

  it('answers 404 for an unknown path and 405 with Allow for a known one', async () => {
    const unknown = await app.client.get('/api/v1/nowhere');
    expect(unknown.status).toBe(404);
    expect(unknown.body).toEqual({
      statusCode: 404,
      message: expect.any(String),
      error: 'Not Found',
      code: 'NOT_FOUND',
    });
    const wrong = await app.client.delete('/api/v1/health');
    expect(wrong.status).toBe(405);
    expect(wrong.body['code']).toBe('METHOD_NOT_ALLOWED');
    expect(wrong.headers.get('allow')).toBe('GET, HEAD');
  });

  it.each([
    '/API/v1/health',
    '/api/v1/Health',
    '/api/v1/health/',
    '/api/v1/health//',
    '//api/v1/health',
    '/api/docs/',
    '/V1/selgeo.js',
    '/v1/selgeo.js/',
  ])('matches paths exactly: %s is unknown', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await fetch(app.url + path, { method });
      expect([method, answer.status]).toEqual([method, 404]);
    }
  });

  it('takes a good request id over and replaces a bad one', async () => {
    const good = await app.client.get('/api/v1/health', { headers: { 'X-Request-Id': 'abc-1' } });
    expect(good.headers.get('x-request-id')).toBe('abc-1');
    const bad = await app.client.get('/api/v1/health', { headers: { 'X-Request-Id': 'a b' } });
    expect(bad.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(bad.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('publishes its documents and a page', async () => {
    const main = await app.client.get('/api/openapi.json');
    expect(main.body).toMatchObject({ openapi: '3.0.3' });
    const waitlist = await app.client.get('/api/public/openapi.json');
    expect(waitlist.body).toMatchObject({ openapi: '3.1.0' });
    const page = await app.client.get('/api/docs');
    expect(page.text).toContain('/api/v1/health');
  });
});
