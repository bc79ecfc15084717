import { execute, query, queryOne } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember, signIn } from '../../support/build/accounts';
import type { Caller } from '../../support/api-client';
import { eventually } from '../../support/eventually';
import { holdTransaction } from '../../support/postgres/held-transaction';

const app = useApp();
let owner: Caller;
beforeAll(async () => {
  const member = await buildMember(app.deps.db.manager);
  owner = app.client.as((await signIn(app.deps, member)).accessToken, 'test');
});

const program = {
  name: 'P',
  websiteUrl: 'https://shop.example',
  commission: { type: 'flat', amountCents: 5 },
};
const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });
const countPrograms = async (): Promise<number> =>
  (await query(app.deps.db.manager, 'SELECT id FROM programs')).length;

const allButIntervals: FakeableAPI[] = [
  'Date',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
];

describe('Idempotency-Key (requests.md, Idempotency)', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('replays the first answer, Location included, and does nothing again', async () => {
    const first = await owner.post('/api/v1/programs', program, withKey('replay'));
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const before = await countPrograms();

    const again = await owner.post('/api/v1/programs', program, withKey('replay'));
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('location')).toBe(first.headers.get('location'));
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await countPrograms()).toBe(before);
  });

  it('takes another query string, and ids in another case, for the same request', async () => {
    const made = await owner.post('/api/v1/programs', program);
    const path = `/api/v1/programs/${String(made.body['id'])}/invites`;
    const invite = { email: 'pat@example.com' };
    const first = await owner.post(`${path}?utm=1`, invite, withKey('query'));
    expect(first.status).toBe(201);
    const upper = path.replace(String(made.body['id']), String(made.body['id']).toUpperCase());
    for (const same of [path, `${path}?utm=2&x=y`, upper]) {
      const again = await owner.post(same, invite, withKey('query'));
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('replays secrets, kept encrypted', async () => {
    const body = { kind: 'secret', mode: 'test' };
    const first = await owner.post('/api/v1/workspace/api-keys', body, withKey('secret'));
    const again = await owner.post('/api/v1/workspace/api-keys', body, withKey('secret'));
    expect(again.body['key']).toBe(first.body['key']);
    const rows = await query(app.deps.db.manager, 'SELECT * FROM idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain(String(first.body['key']));
  });

  it('refuses another body under the same key, and keeps keys of modes apart', async () => {
    await owner.post('/api/v1/programs', program, withKey('body'));
    const other = await owner.post('/api/v1/programs', { ...program, name: 'Q' }, withKey('body'));
    expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const live = await owner.post('/api/v1/programs', program, {
      ...withKey('body'),
      mode: 'live',
    });
    expect(live.status).toBe(201);
  });

  it('takes a body with an ignored or merely reformatted field for what it is', async () => {
    const key = await owner.post('/api/v1/workspace/api-keys', { kind: 'secret', mode: 'test' });
    const shop = app.client.as(String(key.body['key']));
    const sale = { external_transaction_id: 'same', event_type: 'purchase', promo_code: 'NOBODY' };
    const post = (body: object) => shop.post('/api/v1/conversions', body, withKey('sale'));
    const first = await post(sale);
    expect(first.status).toBe(201);
    const other = await post({ ...sale, note: 'ignored, but not sent the first time' });
    expect([other.status, other.body['code']]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const reordered = await post(Object.fromEntries(Object.entries(sale).reverse()));
    expect(reordered.body).toEqual(first.body);
  });

  it('checks the key before it looks for what the path names', async () => {
    const path = '/api/v1/programs/no-uuid/archive';
    const bad = await owner.post(path, undefined, withKey('x'.repeat(256)));
    expect([bad.status, bad.body['code']]).toEqual([400, 'VALIDATION_ERROR']);
    const good = await owner.post(path, undefined, withKey('nowhere'));
    expect([good.status, good.body['code']]).toEqual([404, 'PROGRAM_NOT_FOUND']);
  });

  it('of many at once lets one do the work', async () => {
    const before = await countPrograms();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => owner.post('/api/v1/programs', program, withKey('race'))),
    );
    const statuses = answers.map(({ status, body }) => `${status} ${String(body['code'] ?? '')}`);
    expect(await countPrograms()).toBe(before + 1);
    for (const status of statuses) {
      expect(['201 ', '409 IDEMPOTENCY_IN_PROGRESS']).toContain(status);
    }
  });

  it('does not use the key up for a refused body, but keeps a refusal of the state', async () => {
    const bad = await owner.post('/api/v1/programs', { ...program, name: '' }, withKey('bad'));
    expect(bad.status).toBe(400);
    expect((await owner.post('/api/v1/programs', program, withKey('bad'))).status).toBe(201);

    const webhook = { url: 'http://no-such-host.invalid/hook', events: ['*'] };
    const refused = await owner.post('/api/v1/webhooks', webhook, withKey('refused'));
    expect([refused.status, refused.body['code']]).toEqual([422, 'WEBHOOK_URL_UNRESOLVABLE']);
    const again = await owner.post('/api/v1/webhooks', webhook, withKey('refused'));
    expect(again.body).toEqual(refused.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('frees the key of a process that died after a minute, and every key after a day', async () => {
    const { body } = await owner.post('/api/v1/programs', program, withKey('died'));
    await execute(
      app.deps.db.manager,
      `UPDATE idempotency_keys SET answer = NULL WHERE key = 'died'`,
    );
    const early = await owner.post('/api/v1/programs', program, withKey('died'));
    expect([early.status, early.body['code']]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    expect(early.headers.get('retry-after')).toBe('1');
    app.deps.clock.advance(10_000);
    const later = await owner.post('/api/v1/programs', program, withKey('died'));
    expect(Number(later.headers.get('retry-after'))).toBeGreaterThanOrEqual(10);
    app.deps.clock.advance(40_000);
    const last = await owner.post('/api/v1/programs', program, withKey('died'));
    expect(Number(last.headers.get('retry-after'))).toBeLessThanOrEqual(10);
    app.deps.clock.advance(11_000);
    const late = await owner.post('/api/v1/programs', program, withKey('died'));
    expect(late.status).toBe(201);
    expect(late.body['id']).not.toBe(body['id']);
  });

  it('keeps the key of a process that lives, however long its work takes', async () => {
    const { db, clock } = app.deps;
    const key = async (): Promise<string | undefined> =>
      (
        await queryOne<{ since: string }>(
          db.manager,
          `SELECT claimed_at::text AS since FROM idempotency_keys WHERE key = 'long'`,
        )
      )?.since;
    const holder = await holdTransaction(db);
    await query(holder.tx, 'LOCK TABLE programs IN SHARE MODE');
    jest.useFakeTimers({ doNotFake: allButIntervals });

    const slow = owner.post('/api/v1/programs', program, withKey('long'));
    const first = await eventually(key);
    clock.advance(61_000);
    jest.advanceTimersByTime(20_000);
    await eventually(async () => ((await key()) === first ? undefined : true));
    const meanwhile = await owner.post('/api/v1/programs', program, withKey('long'));
    expect([meanwhile.status, meanwhile.body['code']]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);

    await holder.rollback();
    expect((await slow).status).toBe(201);
  });

  it.each(['', 'x'.repeat(256)])('refuses the bad key %p', async (key) => {
    const answer = await owner.post('/api/v1/programs', program, withKey(key));
    expect(answer.status).toBe(400);
    expect(answer.body['details']).toEqual([
      { field: 'Idempotency-Key', message: expect.any(String) },
    ]);
  });
});
