import { setTimeout as sleep } from 'node:timers/promises';
import { revokeApiKey } from '../../../activities/credentials/api-keys';
import { createCredentials, type Credentials } from '../../../activities/credentials/principals';
import { openDeps, type OpenDeps } from '../../../runtime/process/deps';
import { systemActor } from '../../../entities/rules/values/actor';
import { execute, queryOne } from '../../../entities/database/sql';
import { openTestDeps, type TestDeps } from '../../support/app';
import {
  buildApiKey,
  buildMember,
  buildPartner,
  signIn,
  type BuiltApiKey,
} from '../../support/build/accounts';
import { until } from '../../support/eventually';

let deps: TestDeps;
let other: OpenDeps;
let credentials: Credentials;
let others: Credentials;
beforeAll(async () => {
  deps = await openTestDeps();
  other = await openDeps(deps.config, 'other', { clock: deps.clock });
  credentials = createCredentials(deps);
  others = createCredentials(other);
});
afterAll(async () => {
  await other.close();
  await deps.close();
});

const secretKey = ({ keys }: Credentials, key: string, now: Date) =>
  keys.resolve({ key, kind: 'secret' }, now);
const publicKey = ({ keys }: Credentials, key: string, now: Date) =>
  keys.resolve({ key, kind: 'public' }, now);

describe('keys (accounts.md, Keys)', () => {
  const revoke = (key: BuiltApiKey) =>
    revokeApiKey(
      deps.db.manager,
      { scope: key, actor: systemActor, now: deps.clock.now() },
      { apiKeyId: key.id },
    );

  it('name workspace and mode, and are good for their own kind only', async () => {
    const secret = await buildApiKey(deps.db.manager, { mode: 'live' });
    const now = deps.clock.now();
    expect(await secretKey(credentials, secret.key, now)).toEqual({
      kind: 'secret_key',
      apiKeyId: secret.id,
      workspaceId: secret.workspaceId,
      mode: 'live',
    });
    expect(await publicKey(credentials, secret.key, now)).toBeUndefined();
    expect(await secretKey(credentials, secret.key.slice(0, -1), now)).toBeUndefined();
    expect(await secretKey(credentials, '', now)).toBeUndefined();
  });

  it('note their last use, once a minute', async () => {
    const { id, key } = await buildApiKey(deps.db.manager, { kind: 'public' });
    const lastUse = async (keyId = id) =>
      (
        await queryOne<{ at: Date | null }>(
          deps.db.manager,
          'SELECT last_used_at AS at FROM api_keys WHERE id = $1',
          [keyId],
        )
      )?.at?.getTime() ?? null;
    expect(await lastUse()).toBeNull();
    const first = deps.clock.now();
    await publicKey(credentials, key, first);
    await publicKey(credentials, key, new Date(first.getTime() + 30_000));
    await until(async () => (await lastUse()) === first.getTime());

    // What one process has noted another does not note again at once.
    const another = await buildApiKey(deps.db.manager, { kind: 'public' });
    const soon = new Date(first.getTime() + 20_000);
    await publicKey(others, key, soon);
    await publicKey(others, another.key, soon);
    await until(async () => (await lastUse(another.id)) === soon.getTime());
    expect(await lastUse()).toBe(first.getTime());

    const later = new Date(first.getTime() + 61_000);
    await publicKey(credentials, key, later);
    await until(async () => (await lastUse()) === later.getTime());
  });

  it('work at once when they are new, on a process that refused them before', async () => {
    const { key, id } = await buildApiKey(deps.db.manager);
    await execute(deps.db.manager, 'UPDATE api_keys SET revoked_at = now() WHERE id = $1', [id]);
    expect(await secretKey(others, key, deps.clock.now())).toBeUndefined();
    await execute(deps.db.manager, 'UPDATE api_keys SET revoked_at = NULL WHERE id = $1', [id]);
    expect(await secretKey(others, key, deps.clock.now())).toBeDefined();
  });

  it.each([{ kind: 'secret' }, { kind: 'public' }, { kind: 'management', role: 'admin' }] as const)(
    'stop on another process within a second, under constant use: %j',
    async (made) => {
      const key = await buildApiKey(deps.db.manager, made);
      const asked = { key: key.key, kind: made.kind };
      const use = () => others.keys.resolve(asked, other.clock.now());
      for (let n = 0; n < 20; n += 1) expect(await use()).toBeDefined();

      await revoke(key);
      // A second, and room for a busy machine.
      await until(async () => !(await use()), 2_000);
      for (let n = 0; n < 20; n += 1) expect(await use()).toBeUndefined();
    },
  );

  it('stop on a process that was idle meanwhile, at its next request', async () => {
    const key = await buildApiKey(deps.db.manager);
    const use = () => secretKey(others, key.key, other.clock.now());
    expect(await use()).toBeDefined();
    await revoke(key);
    // Real time: what is measured is how old a remembered key may be.
    await sleep(1_000);
    expect(await use()).toBeUndefined();
  });
});

describe('access tokens', () => {
  it('resolve to what the database says now', async () => {
    const member = await buildMember(deps.db.manager, { role: 'admin' });
    const { accessToken, sessionId } = await signIn(deps, member);
    const resolve = () => credentials.resolveAccount(accessToken, deps.clock.now());
    expect(await resolve()).toEqual({
      kind: 'merchant',
      accountId: member.id,
      workspaceId: member.workspaceId,
      role: 'admin',
      sessionId,
      email: member.email,
      lacksTwoFactor: false,
      tokenExpiresAt: expect.any(Date) as Date,
    });
    await execute(deps.db.manager, `UPDATE merchant_accounts SET role = 'viewer' WHERE id = $1`, [
      member.id,
    ]);
    expect(await resolve()).toMatchObject({ role: 'viewer' });
    await execute(
      deps.db.manager,
      'UPDATE merchant_accounts SET removed_at = now() WHERE id = $1',
      [member.id],
    );
    expect(await resolve()).toBeUndefined();
  });

  it('of the other side come back as that side', async () => {
    const partner = await buildPartner(deps.db.manager);
    const { accessToken, sessionId } = await signIn(deps, partner);
    const principal = {
      kind: 'partner',
      accountId: partner.id,
      sessionId,
      tokenExpiresAt: expect.any(Date) as Date,
    };
    expect(await credentials.resolveAccount(accessToken, deps.clock.now())).toEqual(principal);
  });
});

/** Uses are written a second later, many at once. */
