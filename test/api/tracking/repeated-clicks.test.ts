import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { buildLink, buildParticipant, type BuiltParticipant } from '../../support/build/programs';
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

describe('POST /v1/clicks knows repeats (clicks.md, Repeats)', () => {
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

  it('also of a visitor who is known only by the name that the browser made up', async () => {
    const visitor_token = 'new.1.22.333.4294967295';
    const answers = await Promise.all([1, 2, 3].map(() => click({ visitor_token })));
    const { body } = await click({ visitor_token });

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(answers.map((answer) => answer.body.click_id))).toEqual(
      new Set([body.click_id]),
    );
    expect(await storedClicks()).toHaveLength(1);
    // The visitor counts as any other from then on.
    expect(body.visitor_token).not.toBe(visitor_token);
    expect((await click({ visitor_token: body.visitor_token })).body).toEqual(body);
    expect((await click({ visitor_token: 'new.1.22.333.5' })).status).toBe(201);
  });

  it.each(['new.1.2.3', 'new.1.2.3.4.5', 'new.a.b.c.d', 'NEW.1.2.3.4', 'new.1.2.3.12345678901'])(
    'but not of a visitor with a malformed name: %s',
    async (visitor_token) => {
      await click({ visitor_token });
      expect((await click({ visitor_token })).status).toBe(201);
    },
  );

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
