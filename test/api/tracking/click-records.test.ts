import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { buildApiKey, type BuiltApiKey } from '../../support/build/accounts';
import { buildClick } from '../../support/build/clicks';

const app = useApp();
let secret: BuiltApiKey;
let live: BuiltApiKey;

beforeAll(async () => {
  secret = await buildApiKey(app.deps.db.manager, { mode: 'test' });
  live = await buildApiKey(app.deps.db.manager, {
    mode: 'live',
    workspaceId: secret.workspaceId,
  });
});

const testClick = () =>
  buildClick(app.deps.db.manager, {
    participantOf: { workspaceId: secret.workspaceId, mode: 'test' },
    ipHash: 'k1:secret-hash',
  });
const path = (id: string) => `/api/v1/attribution/clicks/${id}`;

describe('GET /api/v1/attribution/clicks/{clickId} (clicks.md, What a merchant sees)', () => {
  it('shows a click, and nothing of its address', async () => {
    const click = await testClick();
    const { status, body, text } = await app.client
      .as(secret.key)
      .get(path(click.id.toUpperCase()));

    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: click.id,
      mode: 'test',
      participant_id: click.participantId,
      created_at: click.createdAt.toISOString(),
      expires_at: click.expiresAt.toISOString(),
      creditable: true,
    });
    expect(text).not.toContain('secret-hash');
  });

  it.each(['no-uuid', newId(), '00000000-0000-4000-8000-000000000000'])(
    'answers 404 for %s',
    async (id) => {
      const { status, body } = await app.client.as(secret.key).get(path(id));

      expect([status, body['code']]).toEqual([404, 'NOT_FOUND']);
    },
  );

  it("answers 404 for another workspace's or mode's click", async () => {
    const foreign = await buildClick(app.deps.db.manager, { participantOf: { mode: 'test' } });
    const own = await testClick();

    expect((await app.client.as(secret.key).get(path(foreign.id))).status).toBe(404);
    expect((await app.client.as(live.key).get(path(own.id))).status).toBe(404);
  });

  it('needs a secret key', async () => {
    const click = await testClick();
    const open = await buildApiKey(app.deps.db.manager, {
      kind: 'public',
      workspaceId: secret.workspaceId,
    });
    const answers = [
      await app.client.get(path(click.id)),
      await app.client.as(open.key).get(path(click.id)),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(answers[1]?.body['code']).toBe('INVALID_SECRET_KEY');
  });
});

describe('POST /api/v1/attribution/clicks/{clickId}/expire', () => {
  it('ends the window now, and once', async () => {
    const click = await testClick();
    const before = app.deps.clock.now();
    const first = await app.client.as(secret.key).post(`${path(click.id)}/expire`);
    const again = await app.client.as(secret.key).post(`${path(click.id)}/expire`);
    const seen = await app.client.as(secret.key).get(path(click.id));

    expect([first.status, again.status]).toEqual([200, 200]);
    const expiresAt = String(first.body['expires_at']);
    expect(Date.parse(expiresAt)).toBeLessThan(Date.now());
    expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before.getTime() - 1);
    expect(again.body['expires_at']).toBe(expiresAt);
    expect(seen.body['expires_at']).toBe(expiresAt);
  });

  it('is refused with a live key, whatever the click is', async () => {
    const answers = [
      await app.client.as(live.key).post(`${path((await testClick()).id)}/expire`),
      await app.client.as(live.key).post(`${path(newId())}/expire`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]?.body['code']).toBe('FORBIDDEN');
  });

  it("answers 404 for another workspace's click", async () => {
    const foreign = await buildClick(app.deps.db.manager, { participantOf: { mode: 'test' } });
    const answer = await app.client.as(secret.key).post(`${path(foreign.id)}/expire`);

    expect(answer.status).toBe(404);
  });
});
