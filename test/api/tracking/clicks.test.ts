import { gzipSync } from 'node:zlib';
import { newId } from '../../../entities/ids';
import { execute, query } from '../../../entities/database/sql';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { startTestApp, type TestApp } from '../../support/app';

interface Answer {
  click_id: string | null;
  visitor_token?: string;
  recorded: boolean;
  expires_at?: string;
  reason?: string;
  code?: string;
  details?: { field: string; message: string }[];
}

interface ClickColumns {
  id: string;
  url: string | null;
  referrer: string | null;
  userAgent: string | null;
  ipHash: string | null;
  creditable: boolean;
  linkId: string;
}

let app: TestApp;
let key: BuiltApiKey;
let participant: BuiltParticipant;

beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

beforeEach(async () => {
  key = await buildApiKey(app.deps.db.manager, { kind: 'public', mode: 'test' });
  participant = await buildParticipant(app.deps.db.manager, {
    workspaceId: key.workspaceId,
    mode: 'test',
    referralCode: 'Acme',
  });
});

const send = (body: unknown, headers: Record<string, string> = {}) =>
  app.client.post<Answer>('/v1/clicks', body, {
    headers: { 'User-Agent': visitorUserAgent, ...headers },
  });

/** As the browser script does it. */
const click = (fields: Record<string, unknown> = {}) =>
  send({ key: key.key, ref: 'acme', ...fields }, { 'Content-Type': 'text/plain;charset=UTF-8' });

const storedClicks = () =>
  query<ClickColumns>(
    app.deps.db.manager,
    `SELECT id, url, referrer, user_agent AS "userAgent", ip_hash AS "ipHash", creditable,
            link_id AS "linkId" FROM clicks WHERE participant_id = $1 ORDER BY id`,
    [participant.id],
  );

describe('POST /v1/clicks records', () => {
  it('a click whose key is in the body', async () => {
    const before = Date.now();
    const { status, body, headers } = await click({
      url: 'https://shop.example/?ref=acme',
      referrer: 'https://blog.example/',
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      click_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      visitor_token: expect.any(String),
      recorded: true,
      expires_at: expect.any(String),
    });
    const window = new Date(body.expires_at ?? '').getTime() - 30 * 86_400_000;
    expect(window).toBeGreaterThanOrEqual(before);
    expect(window).toBeLessThanOrEqual(Date.now());
    expect(headers.get('location')).toBe(`/api/v1/attribution/clicks/${body.click_id}`);
    expect(headers.get('set-cookie')).toBeNull();
    expect(await storedClicks()).toEqual([
      {
        id: body.click_id,
        url: 'https://shop.example/?ref=acme',
        referrer: 'https://blog.example/',
        userAgent: visitorUserAgent,
        ipHash: expect.stringMatching(/^[^:]+:[\w-]{32}$/),
        creditable: true,
        linkId: participant.linkId,
      },
    ]);
  });

  it('a click whose key is the bearer', async () => {
    const { status, body } = await send(
      { ref: 'ACME', url: null, visitor_token: null, anything: { else: [1] } },
      { Authorization: `Bearer ${key.key}` },
    );

    expect(status).toBe(201);
    expect(body.recorded).toBe(true);
  });

  it('a compressed body', async () => {
    const response = await fetch(`${app.url}/v1/clicks`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ key: key.key, ref: 'acme' })),
    });

    // Without a browser's name it is Node's, which the list knows.
    expect([200, 201]).toContain(response.status);
  });

  it('through a link of its own', async () => {
    const link = await buildLink(app.deps.db.manager, participant);
    const { status } = await click({ ref: link.token });

    expect(status).toBe(201);
    expect((await storedClicks())[0]?.linkId).toBe(link.id);
  });

  it('a click of a partner who is not approved, and never credits it', async () => {
    await execute(
      app.deps.db.manager,
      `UPDATE participants SET status = 'suspended' WHERE id = $1`,
      [participant.id],
    );
    expect((await click()).status).toBe(201);
    await execute(
      app.deps.db.manager,
      `UPDATE participants SET status = 'approved' WHERE id = $1`,
      [participant.id],
    );
    expect((await click()).status).toBe(201);

    const creditable = (await storedClicks()).map((stored) => stored.creditable);
    expect(creditable).toEqual([false, true]);
  });

  it('the window that the programme has at that moment', async () => {
    await click();
    await execute(
      app.deps.db.manager,
      'UPDATE programs SET attribution_window_days = 7 WHERE id = $1',
      [participant.programId],
    );
    const { body } = await click();

    const days = (new Date(body.expires_at ?? '').getTime() - Date.now()) / 86_400_000;
    expect(days).toBeCloseTo(7, 2);
  });

  it('a click without a User-Agent, or with one of no browser that no list names', async () => {
    expect((await click()).status).toBe(201);
    const plain = await send(
      { key: key.key, ref: 'acme' },
      { 'Content-Type': 'text/plain', 'User-Agent': 'OwnShopClient/3.1' },
    );
    expect(plain.status).toBe(201);
  });

  it('what is too long or cannot be stored in url, referrer and visitor_token', async () => {
    const { status, body } = await click({
      url: `https://shop.example/${'x'.repeat(5_000)}`,
      referrer: 'https://blog.example/\u0000\ud800',
      visitor_token: `${'y'.repeat(4_000)}\u0000\udc00`,
    });

    expect(status).toBe(201);
    expect(body.visitor_token).not.toContain('yyy');
    const [stored] = await storedClicks();
    expect(stored?.url).toHaveLength(2_048);
    expect(stored?.referrer).toBe('https://blog.example/\ufffd\ufffd');
  });
});

describe('POST /v1/clicks knows repeats', () => {
  it('and answers the first click to the same visitor and link', async () => {
    const first = await click();
    const again = await click({
      visitor_token: first.body.visitor_token,
      url: 'https://other.example',
    });

    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await storedClicks()).toHaveLength(1);
  });

  it('but not on another link', async () => {
    const link = await buildLink(app.deps.db.manager, participant);
    const first = await click();
    const other = await click({ ref: link.token, visitor_token: first.body.visitor_token });

    expect(other.status).toBe(201);
    expect(other.body.click_id).not.toBe(first.body.click_id);
    expect(other.body.visitor_token).toBe(first.body.visitor_token);
  });

  it('but not after half an hour', async () => {
    const first = await click();
    app.deps.clock.advance(30 * 60_000);
    const later = await click({ visitor_token: first.body.visitor_token });
    app.deps.clock.advance(-30 * 60_000);

    expect(later.status).toBe(201);
    expect(later.body.click_id).not.toBe(first.body.click_id);
  });

  it('and keeps the window that the first click has by now', async () => {
    const first = await click();
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId: key.workspaceId });
    const expired = await app.client
      .as(secret.key)
      .post<{ expires_at: string }>(`/api/v1/attribution/clicks/${first.body.click_id}/expire`);
    const again = await click({ visitor_token: first.body.visitor_token });

    expect(again.status).toBe(200);
    expect(again.body.expires_at).toBe(expired.body.expires_at);
  });

  it('when they come at once: one 201 for fifty equal clicks', async () => {
    const { body } = await click();
    const link = await buildLink(app.deps.db.manager, participant);
    const equal = { ref: link.token, visitor_token: body.visitor_token };
    const answers = await Promise.all(Array.from({ length: 50 }, () => click(equal)));

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 200)).toHaveLength(49);
    expect(new Set(answers.map((answer) => answer.body.click_id)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.body.visitor_token))).toEqual(
      new Set([body.visitor_token]),
    );
    expect((await storedClicks()).filter(({ linkId }) => linkId === link.id)).toHaveLength(1);
  });

  it.each([
    ['malformed', () => 'not-a-token'],
    ['forged', () => `${newId()}.${'A'.repeat(43)}`],
    ['without its proof', (genuine: string) => genuine.slice(0, 36)],
    ['lengthened', (genuine: string) => `${genuine}x`],
    ['empty', () => ''],
  ])('and takes a %s token for a new visitor', async (_name, forge) => {
    const first = await click();
    const other = await click({ visitor_token: forge(first.body.visitor_token ?? '') });

    expect(other.status).toBe(201);
    expect(other.body.visitor_token).not.toBe(first.body.visitor_token);
    expect(other.body.click_id).not.toBe(first.body.click_id);
  });

  it("and takes another workspace's or mode's token for a new visitor", async () => {
    const { body } = await click();
    const live = await buildApiKey(app.deps.db.manager, {
      kind: 'public',
      mode: 'live',
      workspaceId: key.workspaceId,
    });
    await buildParticipant(app.deps.db.manager, {
      workspaceId: key.workspaceId,
      mode: 'live',
      referralCode: 'acme',
    });
    const other = await click({ key: live.key, visitor_token: body.visitor_token });

    expect(other.status).toBe(201);
    expect(other.body.visitor_token).not.toBe(body.visitor_token);
  });
});

describe('POST /v1/clicks records nothing', () => {
  it.each([
    ['an unknown one', 'nobody'],
    ['one of an impossible form', 'a b/c'],
    ['a very long one', 'x'.repeat(10_000)],
  ])('for a ref that leads nowhere: %s', async (_name, ref) => {
    const { status, body } = await click({ ref });

    expect(status).toBe(200);
    expect(body).toEqual({ click_id: null, recorded: false, reason: 'unknown_ref' });
  });

  it("for another workspace's or mode's ref", async () => {
    await buildParticipant(app.deps.db.manager, { mode: 'test', referralCode: 'elsewhere' });
    await buildParticipant(app.deps.db.manager, {
      workspaceId: key.workspaceId,
      mode: 'live',
      referralCode: 'livecode',
    });

    expect((await click({ ref: 'elsewhere' })).body.reason).toBe('unknown_ref');
    expect((await click({ ref: 'livecode' })).body.reason).toBe('unknown_ref');
  });

  it('for a link that was deleted a moment ago', async () => {
    const link = await buildLink(app.deps.db.manager, participant);
    expect((await click({ ref: link.token })).status).toBe(201);
    await execute(
      app.deps.db.manager,
      'UPDATE tracking_links SET deleted_at = now() WHERE id = $1',
      [link.id],
    );
    await execute(
      app.deps.db.manager,
      'UPDATE referral_tokens SET retired_at = now() WHERE link_id = $1',
      [link.id],
    );

    expect((await click({ ref: link.token })).body.reason).toBe('unknown_ref');
  });

  it('for a partner who was erased a moment ago', async () => {
    expect((await click()).status).toBe(201);
    await execute(app.deps.db.manager, 'UPDATE participants SET erased_at = now() WHERE id = $1', [
      participant.id,
    ]);

    expect((await click()).body.reason).toBe('unknown_ref');
  });

  it('but follows a code to the link that it leads to by now', async () => {
    expect((await click()).status).toBe(201);
    const program = await buildProgram(app.deps.db.manager, {
      workspaceId: key.workspaceId,
      mode: 'test',
    });
    const other = await buildParticipant(app.deps.db.manager, { program, referralCode: 'second' });
    // As after a reset of the test data: the old link is gone, the code has a new owner.
    await execute(app.deps.db.manager, `DELETE FROM referral_tokens WHERE participant_id = $1`, [
      participant.id,
    ]);
    await execute(app.deps.db.manager, 'DELETE FROM tracking_links WHERE participant_id = $1', [
      participant.id,
    ]);
    await execute(
      app.deps.db.manager,
      `UPDATE referral_tokens SET token = 'Acme', token_key = 'acme' WHERE participant_id = $1`,
      [other.id],
    );

    const { status, body } = await click();
    expect(status).toBe(201);
    const [row] = await query<{ participantId: string }>(
      app.deps.db.manager,
      'SELECT participant_id AS "participantId" FROM clicks WHERE id = $1',
      [body.click_id],
    );
    expect(row?.participantId).toBe(other.id);
  });

  it.each([
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'facebookexternalhit/1.1',
    'curl/8.5.0',
    'python-requests/2.32.3',
  ])('for a known bot: %s', async (userAgent) => {
    const { status, body } = await send(
      { key: key.key, ref: 'acme' },
      { 'Content-Type': 'text/plain', 'User-Agent': userAgent },
    );

    expect(status).toBe(200);
    expect(body).toEqual({ click_id: null, recorded: false, reason: 'bot' });
    expect(await storedClicks()).toHaveLength(0);
  });
});

describe('POST /v1/clicks refuses', () => {
  it.each([
    ['no key', {}, {}],
    ['an unknown key', { key: `pk_test_${'0'.repeat(32)}` }, {}],
    ['a key of another type', { key: 7 }, {}],
    ['a bearer that is no key, whatever the body says', undefined, { Authorization: 'Bearer abc' }],
    ['another scheme', undefined, { Authorization: 'Basic cGs6' }],
  ])('%s: 401', async (_name, fields, headers) => {
    const body = { ref: 'acme', ...(fields ?? { key: key.key }) };
    const response = await send(body, headers as Record<string, string>);

    expect(response.status).toBe(401);
    expect(response.body.code).toBe('INVALID_PUBLIC_KEY');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('a secret key, in body or header: 401', async () => {
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId: key.workspaceId });
    const inBody = await click({ key: secret.key });
    const inHeader = await send({ ref: 'acme' }, { Authorization: `Bearer ${secret.key}` });

    expect([inBody.status, inHeader.status]).toEqual([401, 401]);
    expect(inBody.body.code).toBe('INVALID_PUBLIC_KEY');
  });

  it('a revoked key within a second', async () => {
    expect((await click()).status).toBe(201);
    await execute(app.deps.db.manager, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [
      key.id,
    ]);
    const revokedAt = performance.now();
    let status = 0;
    while (status !== 401 && performance.now() - revokedAt < 3_000) status = (await click()).status;

    expect(status).toBe(401);
    // A second, and room for a busy machine.
    expect(performance.now() - revokedAt).toBeLessThan(2_000);
  });

  it.each([
    ['ref missing', {}, 'ref'],
    ['ref empty', { ref: '' }, 'ref'],
    ['ref of another type', { ref: 5 }, 'ref'],
    ['ref null', { ref: null }, 'ref'],
    ['ref that cannot be stored', { ref: 'a\u0000b' }, 'ref'],
    ['url of another type', { ref: 'acme', url: 5 }, 'url'],
    ['referrer of another type', { ref: 'acme', referrer: {} }, 'referrer'],
    ['visitor_token of another type', { ref: 'acme', visitor_token: [] }, 'visitor_token'],
  ])('%s: 400', async (_name, fields, field) => {
    const { status, body } = await send({ key: key.key, ...fields });

    expect(status).toBe(400);
    expect(body.code).toBe('VALIDATION_ERROR');
    expect(body.details?.map((detail) => detail.field)).toEqual([field]);
  });

  it.each(['{"ref":', '[]', '"text"', 'null', ''])('a body that is no object: %p', async (body) => {
    const response = await send(body, { Authorization: `Bearer ${key.key}` });

    expect(response.status).toBe(400);
    expect(response.body.details?.[0]?.field).toBe('body');
  });

  it('other content types: 415, with the key in header or body', async () => {
    const xml = { 'Content-Type': 'application/xml' };
    const inHeader = await send('<a/>', { ...xml, Authorization: `Bearer ${key.key}` });
    const inBody = await send({ key: key.key, ref: 'acme' }, xml);
    const nowhere = await send({ ref: 'acme' }, xml);

    expect([inHeader.status, inBody.status, nowhere.status]).toEqual([415, 415, 401]);
  });

  it('a body that is too large: 413', async () => {
    const large = { key: key.key, ref: 'acme', url: 'x'.repeat(262_144) };

    expect((await click(large)).status).toBe(413);
    expect((await send(large, { Authorization: `Bearer ${key.key}` })).status).toBe(413);
  });

  it('an encoding that nobody knows', async () => {
    const response = await send(
      { ref: 'acme' },
      { Authorization: `Bearer ${key.key}`, 'Content-Encoding': 'zstd-or-so' },
    );

    expect(response.status).toBe(415);
  });

  it('other verbs: 405', async () => {
    const response = await app.client.get('/v1/clicks');

    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toContain('POST');
  });
});

describe('POST /v1/clicks from a browser', () => {
  it('allows any origin, without credentials, on answers and refusals', async () => {
    const origin = { Origin: 'https://shop.example' };
    const good = await send({ key: key.key, ref: 'acme' }, origin);
    const bad = await send({ ref: 'acme' }, origin);

    for (const { headers } of [good, bad]) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
    }
    expect([good.status, bad.status]).toEqual([201, 401]);
  });

  it('answers a preflight', async () => {
    const response = await fetch(`${app.url}/v1/clicks`, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization,content-type',
      },
    });

    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    expect(response.headers.get('access-control-allow-headers')?.toLowerCase()).toContain(
      'authorization',
    );
  });
});

describe('POST /v1/clicks with an Idempotency-Key', () => {
  it('replays the first answer and stores one click', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const first = await send({ key: key.key, ref: 'acme' }, headers);
    const again = await send({ key: key.key, ref: 'acme' }, headers);

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await storedClicks()).toHaveLength(1);
  });
});
