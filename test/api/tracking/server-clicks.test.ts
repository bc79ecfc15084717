import { useApp } from '../../support/app';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';

const app = useApp();
let shop: TrackedShop;
let secret: BuiltApiKey;

beforeEach(async () => {
  shop = await buildTrackedShop(app);
  const { workspaceId } = shop.key;
  secret = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
});

const crawler = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const report = (fields: Record<string, unknown>, agent = 'node') =>
  shop.send(
    { ref: 'acme', ...fields },
    { Authorization: `Bearer ${secret.key}`, 'User-Agent': agent },
  );

describe('POST /v1/clicks by a server (clicks.md, By a server)', () => {
  it('records the click of the visitor that it names', async () => {
    const answer = await report({
      user_agent: visitorUserAgent,
      ip: '203.0.113.7',
      url: 'https://go.shop.example/acme',
    });
    const [stored] = await shop.storedClicks();

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ recorded: true, click_id: stored?.id });
    expect(stored).toMatchObject({
      userAgent: visitorUserAgent,
      url: 'https://go.shop.example/acme',
      ipHash: app.deps.vault.ipHashes('203.0.113.7').join(' '),
    });
    const again = await report({
      user_agent: visitorUserAgent,
      visitor_token: answer.body.visitor_token,
    });
    expect([again.status, again.body.click_id]).toEqual([200, answer.body.click_id]);
  });

  it("judges the agent of the visitor, never the caller's", async () => {
    const byBot = await report({ user_agent: crawler }, visitorUserAgent);
    const throughBot = await report({ user_agent: visitorUserAgent }, crawler);
    const unknown = await report({ ip: '203.0.113.7' }, crawler);

    expect(byBot.body).toEqual({ click_id: null, recorded: false, reason: 'bot' });
    expect([throughBot.status, unknown.status]).toEqual([201, 201]);
    expect((await shop.storedClicks()).map(({ userAgent }) => userAgent)).toEqual([
      visitorUserAgent,
      null,
    ]);
  });

  it('knows an address by its network, and stores none that was not given', async () => {
    await report({ user_agent: visitorUserAgent, ip: '2001:db8:1:2::7' });
    await report({ user_agent: visitorUserAgent, ip: '2001:db8:1:2:ffff::1' });
    await report({ user_agent: visitorUserAgent, ip: '' });
    const [one, two, none] = await shop.storedClicks();

    expect(one?.ipHash).toBe(two?.ipHash);
    expect(none?.ipHash).toBeNull();
  });

  it.each([
    ['an address that is none', { ip: 'localhost' }, ['ip']],
    ['types', { user_agent: 5, ip: [] }, ['user_agent', 'ip']],
    ['no ref', { user_agent: 'x', ref: '' }, ['ref']],
  ])('refuses %s: 400', async (_name, fields, expected) => {
    const { status, body } = await report(fields);
    expect(status).toBe(400);
    expect(body.details?.map(({ field }) => field)).toEqual(expected);
  });

  it("takes nobody's word in a browser", async () => {
    const answer = await shop.click({ user_agent: crawler, ip: 'nonsense' });
    const [stored] = await shop.storedClicks();

    expect(answer.status).toBe(201);
    expect(stored?.userAgent).toBe(visitorUserAgent);
    expect(stored?.ipHash).toBe(app.deps.vault.ipHashes('127.0.0.1').join(' '));
  });

  it('stays in its workspace and mode', async () => {
    const stranger = await buildTrackedShop(app);
    const { status, body } = await shop.send(
      { ref: 'acme', user_agent: visitorUserAgent },
      {
        Authorization: `Bearer ${
          (
            await buildApiKey(app.deps.db.manager, {
              workspaceId: shop.key.workspaceId,
              mode: 'live',
            })
          ).key
        }`,
      },
    );
    expect([status, body.reason]).toEqual([200, 'unknown_ref']);
    expect(await stranger.storedClicks()).toEqual([]);
  });
});
