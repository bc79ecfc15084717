import { gzipSync } from 'node:zlib';
import { execute, query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { visitorUserAgent } from '../../support/browser';
import type { BuiltApiKey } from '../../support/build/accounts';
import {
  buildLink,
  buildParticipant,
  buildProgram,
  type BuiltParticipant,
} from '../../support/build/programs';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';

const app = useApp();
let key: BuiltApiKey;
let participant: BuiltParticipant;
let send: TrackedShop['send'];
let click: TrackedShop['click'];
let storedClicks: TrackedShop['storedClicks'];

beforeEach(async () => {
  ({ key, participant, send, click, storedClicks } = await buildTrackedShop(app));
});

describe('POST /v1/clicks records (clicks.md, What is recorded)', () => {
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

  it.each([
    'acme/',
    'acme)',
    'acme.',
    'Acme?utm_source=x',
    'ACME#top',
    'acme&amp;utm_source=x',
    ' \u200bacme\ufeff',
    'acme%20',
    'acme-.',
  ])('a click whose ref was pasted as %j', async (ref) => {
    const answers = [await click({ ref }), await click({ ref })];
    expect(answers.map(({ status, body }) => [status, body.recorded])).toEqual([
      [201, true],
      [201, true],
    ]);
    const links = (await storedClicks()).map(({ linkId }) => linkId);
    expect(new Set(links)).toEqual(new Set([participant.linkId]));
  });

  it('a click of the token that a ref is, before one that it is cut to', async () => {
    const link = await buildLink(app.deps.db.manager, participant, { token: 'acme_' });
    await click({ ref: 'acme_' });
    expect(await storedClicks()).toMatchObject([{ linkId: link.id }]);
    const nothing = await click({ ref: '/acme' });
    expect(nothing.body).toEqual({ click_id: null, recorded: false, reason: 'unknown_ref' });
  });

  it('a compressed body', async () => {
    const response = await fetch(`${app.url}/v1/clicks`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'User-Agent': visitorUserAgent,
      },
      body: gzipSync(
        JSON.stringify({ key: key.key, ref: 'acme', url: 'https://shop.example/packed' }),
      ),
    });

    expect(response.status).toBe(201);
    expect(await storedClicks()).toMatchObject([{ url: 'https://shop.example/packed' }]);
  });

  it('through a link of its own', async () => {
    const link = await buildLink(app.deps.db.manager, participant);
    const { status } = await click({ ref: link.token });

    expect(status).toBe(201);
    expect((await storedClicks())[0]?.linkId).toBe(link.id);
  });

  it('a click of a partner who is not approved, and never credits it (clicks.md, Approval)', async () => {
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
    // The state after a reset of the test data: the old link is gone, the code has a new owner.
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
