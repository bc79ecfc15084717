import { createWaitlistCounter } from '../../../activities/waitlist/signups';
import { countFrom, execute } from '../../../entities/database/sql';
import { startTestApp, type TestApp } from '../../support/app';

const origin = 'https://launch.example';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    WAITLIST_ORIGINS: origin,
    WAITLIST_TOTAL: '10',
    WAITLIST_OFFSET: '3',
  });
});
afterAll(() => app.close());
beforeEach(async () => {
  await execute(app.deps.db.manager, 'DELETE FROM waitlist_signups');
  // The clock moves past whatever count was kept.
  app.deps.clock.advance(60_000);
});

const path = '/api/public/waitlist';
const good = { email: 'visitor@example.com', website: '', elapsedMs: 4_000 };
const join = (body: unknown, headers: Record<string, string> = {}) =>
  app.client.post<{ code?: string }>(path, body, { headers });
const countPath = `${path}/waitlist-count`;
const stored = () => countFrom(app.deps.db.manager, 'waitlist_signups');

describe('joining the waitlist (requests.md, Waitlist)', () => {
  it('is 201 without a body, and the row is there when the answer is', async () => {
    const { status, text, headers } = await join({ ...good, email: '  Visitor@Example.COM ' });
    expect([status, text, headers.get('content-length')]).toEqual([201, '', '0']);
    expect(headers.get('location')).toBeNull();
    expect(
      await countFrom(app.deps.db.manager, `waitlist_signups WHERE email = $1`, [good.email]),
    ).toBe(1);
  });

  it('answers a known address like a new one, at once too, and stores it once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => join(good)));
    const shape = ({ status, text, headers }: (typeof answers)[number]) =>
      JSON.stringify([status, text, [...headers.keys()].sort()]);
    expect(new Set(answers.map(shape)).size).toBe(1);
    expect(await stored()).toBe(1);
  });

  it('ignores credentials, modes and fields that it does not know', async () => {
    const headers = { Authorization: 'Bearer nonsense', 'X-Mode': 'nonsense' };
    expect((await join({ ...good, source: 'ad' }, headers)).status).toBe(201);
    const { website: _, ...bare } = good;
    expect((await join(bare)).status).toBe(201);
  });

  it.each([
    ['a filled honeypot', { website: 'x' }, 'ANTI_SPAM_FAILED'],
    ['white space in the honeypot', { website: ' ' }, 'ANTI_SPAM_FAILED'],
    ['a honeypot of another type', { website: 0 }, 'ANTI_SPAM_FAILED'],
    ['NUL in the honeypot', { website: '\0' }, 'ANTI_SPAM_FAILED'],
    ['no time', { elapsedMs: undefined }, 'ANTI_SPAM_FAILED'],
    ['no time to read', { elapsedMs: 1_499 }, 'ANTI_SPAM_FAILED'],
    ['a form left open', { elapsedMs: 1_800_001 }, 'ANTI_SPAM_FAILED'],
    ['a time that is no integer', { elapsedMs: 2_000.5 }, 'ANTI_SPAM_FAILED'],
    ['a time as text', { elapsedMs: '2000' }, 'ANTI_SPAM_FAILED'],
    ['no address', { email: undefined }, 'INVALID_EMAIL'],
    ['an address that is no text', { email: ['a@example.com'] }, 'INVALID_EMAIL'],
    ['an object as address', { email: { constructor: 1 } }, 'INVALID_EMAIL'],
    ['a malformed address', { email: 'visitor@' }, 'INVALID_EMAIL'],
    ['NUL in the address', { email: 'a\0@example.com' }, 'INVALID_EMAIL'],
    ['a lone surrogate in the address', { email: '\ud800@example.com' }, 'INVALID_EMAIL'],
    ['321 characters', { email: `${'a'.repeat(309)}@example.com` }, 'INVALID_EMAIL'],
    ['a spammer without an address', { website: 'x', email: '' }, 'ANTI_SPAM_FAILED'],
    ['too fast without an address', { elapsedMs: 0, email: '' }, 'ANTI_SPAM_FAILED'],
  ])('refuses %s and stores nothing', async (_, change, code) => {
    const { status, body } = await join({ ...good, ...change });
    expect([status, body.code]).toEqual([400, code]);
    expect(await stored()).toBe(0);
  });

  it.each([
    ['the shortest time', { elapsedMs: 1_500 }],
    ['the longest time', { elapsedMs: 1_800_000 }],
    ['320 characters', { email: `${'a'.repeat(308)}@example.com` }],
  ])('takes %s', async (_, change) => {
    expect((await join({ ...good, ...change })).status).toBe(201);
  });

  it.each(['{', '[]', '"text"', 'null'])('refuses the body %s as a whole', async (body) => {
    const answer = await join(body);
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('the counter', () => {
  const count = async () =>
    (await app.client.get<{ taken: number; total: number }>(countPath)).body;

  // A window of 45 seconds begins with each day.
  let day = Date.parse('2026-03-01T00:00:00Z');
  beforeEach(() => {
    day += 86_400_000;
    app.deps.clock.set(new Date(day));
  });

  it('adds the offset, and is kept for 45 seconds', async () => {
    await join(good);
    expect(await count()).toEqual({ taken: 4, total: 10 });
    await join({ ...good, email: 'second@example.com' });
    app.deps.clock.advance(40_000);
    expect((await count()).taken).toBe(4);
    app.deps.clock.advance(10_000);
    expect((await count()).taken).toBe(5);
  });

  it('is renewed by all processes at the same moment', async () => {
    const { clock } = app.deps;
    const [one, other] = [createWaitlistCounter(app.deps), createWaitlistCounter(app.deps)];
    clock.advance(10_000);
    expect(await one.taken(clock.now())).toBe(3);
    await join(good);
    clock.advance(30_000);
    expect(await other.taken(clock.now())).toBe(4);
    clock.advance(5_000);
    const both = await Promise.all([one, other].map((counter) => counter.taken(clock.now())));
    expect(both).toEqual([4, 4]);
  });

  it('never shows more than there is', async () => {
    await execute(
      app.deps.db.manager,
      `INSERT INTO waitlist_signups
       SELECT gen_random_uuid(), n || '@example.com', now() FROM generate_series(1, 20) AS n`,
    );
    expect(await count()).toEqual({ taken: 10, total: 10 });
  });

  it('may be cached by others for 30 seconds', async () => {
    const { headers } = await app.client.get(countPath);
    expect(headers.get('cache-control')).toBe('public, max-age=30');
  });
});

describe('CORS of the waitlist', () => {
  const preflight = (from: string) =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: { Origin: from, 'Access-Control-Request-Method': 'POST' },
    });

  it('answers preflights of listed origins, and marks answers and refusals for them', async () => {
    const listed = await preflight(origin);
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([
      204,
      origin,
    ]);
    for (const body of [good, { ...good, email: '' }]) {
      const { headers } = await join(body, { Origin: origin });
      expect(headers.get('access-control-allow-origin')).toBe(origin);
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  it('opens nothing to other origins', async () => {
    const foreign = await preflight('https://other.example');
    expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
    const { status, headers } = await join(good, { Origin: 'https://other.example' });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([201, null]);
  });
});

describe('the limit of the waitlist', () => {
  let limited: TestApp;
  beforeAll(async () => {
    limited = await startTestApp({ RATE_LIMIT_WAITLIST: '5' });
  });
  afterAll(() => limited.close());

  it('counts every POST of an address, refused ones too, and not the counter', async () => {
    const bodies = [good, { ...good, website: 'x' }, '{', good, good, good];
    const answers = [];
    for (const body of bodies) answers.push(await limited.client.post(path, body));
    expect(answers.map(({ status }) => status)).toEqual([201, 400, 400, 201, 201, 429]);
    const last = answers.at(-1);
    expect(last?.body).toMatchObject({ code: 'RATE_LIMITED', statusCode: 429 });
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.client.get(countPath)).status).toBe(200);
  });
});

describe('the waitlist document', () => {
  it('is OpenAPI 3.1 with both operations', async () => {
    const { body } = await app.client.get<{ openapi: string; paths: object }>(
      '/api/public/openapi.json',
    );
    expect(body.openapi).toBe('3.1.0');
    expect(Object.keys(body.paths)).toEqual([path, countPath]);
  });
});
