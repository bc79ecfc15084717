import { buildSnippet } from '../../../api/snippet/build';
import type { TrackingDto } from '../../../api/tracking/tracking.dto';
import { execute } from '../../../entities/database/sql';
import type { Caller } from '../../support/api-client';
import { useApp } from '../../support/app';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey, buildMember } from '../../support/build/accounts';
import { buildStripeEvents } from '../../support/build/stripe-events';
import { callerOf } from '../../support/callers';
import { eventually } from '../../support/eventually';
import { buildTrackedShop, type TrackedShop } from '../../support/shops/tracked-shop';

const app = useApp({ PUBLIC_BASE_URL: 'https://api.example.com' });
let shop: TrackedShop;
let viewer: Caller;

beforeEach(async () => {
  shop = await buildTrackedShop(app);
  const { workspaceId } = shop.key;
  viewer = await callerOf(
    app,
    await buildMember(app.deps.db.manager, { workspaceId, role: 'viewer' }),
    'test',
  );
});

const tracking = async (by = viewer) =>
  (await by.get<TrackingDto>('/api/v1/workspace/tracking')).body;
const once = (holds: (body: TrackingDto) => boolean) =>
  eventually(async () => {
    const body = await tracking();
    return holds(body) ? body : undefined;
  });

const { pinnedPath, integrity } = buildSnippet();
const script = { url: `https://api.example.com${pinnedPath}`, integrity };
const guideUrl = 'https://api.example.com/api/docs/integrate';

describe('GET /api/v1/workspace/tracking', () => {
  it('knows the script before anything arrived', async () => {
    expect(await tracking()).toEqual({
      script,
      guideUrl,
      lastClickAt: null,
      lastUnknownRef: null,
      lastConversionAt: null,
      lastStripeEventAt: null,
      billers: [],
      origins: [],
    });
  });

  it('shows what pages sent within a moment: clicks, origins, a ref that leads nowhere', async () => {
    await shop.click({ url: 'https://www.shop.example/?ref=acme' });
    const { body } = await shop.click({ url: 'https://app.shop.example/' });
    await shop.click({ url: 'https://app.shop.example/b', visitor_token: body.visitor_token });
    await shop.send(
      { key: shop.key.key, ref: 'acme' },
      { Origin: 'https://app.shop.example', 'Content-Type': 'text/plain' },
    );
    await shop.click({ ref: 'amce' });

    const shown = await once(({ lastUnknownRef }) => lastUnknownRef !== null);
    expect(shown).toEqual({
      script,
      guideUrl,
      lastClickAt: expect.stringMatching(/Z$/),
      lastUnknownRef: { ref: 'amce', at: expect.stringMatching(/Z$/) },
      lastConversionAt: null,
      lastStripeEventAt: null,
      billers: [],
      origins: [
        { origin: 'https://app.shop.example', clicks: 2, lastSeenAt: expect.any(String) },
        { origin: 'https://www.shop.example', clicks: 1, lastSeenAt: expect.any(String) },
      ],
    });
  });

  it('shows the last conversion', async () => {
    const { workspaceId } = shop.key;
    const secret = await buildApiKey(app.deps.db.manager, { workspaceId, mode: 'test' });
    const { body } = await shop.click();
    const sale = await app.client
      .as(secret.key)
      .post<{ created_at: string }>('/api/v1/conversions', {
        external_transaction_id: 'o-1',
        event_type: 'purchase',
        click_id: body.click_id,
      });
    expect((await tracking()).lastConversionAt).toBe(sale.body.created_at);
  });

  it("shows the last event of Stripe's", async () => {
    const { workspaceId } = shop.key;
    const [first, last] = [new Date('2026-11-01T10:00:00Z'), new Date('2026-11-02T10:00:00Z')];
    await buildStripeEvents(
      app.deps.db.manager,
      { workspaceId, mode: 'test' },
      [last, first].map((receivedAt) => ({ status: 'processed', receivedAt })),
    );
    expect((await tracking()).lastStripeEventAt).toBe(last.toISOString());
  });

  it('shows 7 days of origins, at most 20, those with most clicks first', async () => {
    const { workspaceId } = shop.key;
    await execute(
      app.deps.db.manager,
      `INSERT INTO click_origins (workspace_id, mode, day, origin, clicks, last_seen_at)
       SELECT $1, 'test', (now() AT TIME ZONE 'UTC')::date - days, 'https://' || name || '.example',
              name, now() - days * interval '1 day'
         FROM generate_series(0, 7) AS days, generate_series(1, 25) AS name`,
      [workspaceId],
    );
    const { origins } = await tracking();

    expect(origins).toHaveLength(20);
    expect(origins[0]).toMatchObject({ origin: 'https://25.example', clicks: 7 * 25 });
    expect(origins[19]).toMatchObject({ origin: 'https://6.example', clicks: 7 * 6 });
  });

  it('keeps workspaces and modes apart', async () => {
    await shop.send(
      { key: shop.key.key, ref: 'acme', url: 'https://shop.example/' },
      { 'User-Agent': visitorUserAgent },
    );
    await once(({ lastClickAt }) => lastClickAt !== null);
    const { workspaceId } = shop.key;
    const owner = await buildMember(app.deps.db.manager, { workspaceId });
    const stranger = await buildMember(app.deps.db.manager);

    for (const other of [
      await callerOf(app, owner, 'live'),
      await callerOf(app, stranger, 'test'),
    ]) {
      expect(await tracking(other)).toMatchObject({ lastClickAt: null, origins: [] });
    }
  });
});
