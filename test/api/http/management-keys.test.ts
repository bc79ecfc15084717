import { routes } from '../../../api/routes';
import { hasRole, keyRoles, type KeyRole } from '../../../entities/rules/values/roles';
import type { Mode } from '../../../entities/rules/values/mode';
import { queryOne } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { visitorUserAgent } from '../../support/browser';
import { buildApiKey } from '../../support/build/accounts';
import { minimalBodies, requiredQueries } from '../../support/bodies/minimal';
import { buildWorld, type World } from '../../support/world';

type Operation = (typeof routes)[number];

const guarded = routes.filter(({ spec }) => spec.auth.kind !== 'open');
const managed = guarded.filter(
  ({ spec: { auth } }) =>
    (auth.kind === 'merchant' || auth.kind === 'secretKeyOrMerchant') && !auth.personOnly,
);
const titled = (operations: readonly Operation[]) =>
  operations.map((o) => [`${o.method.toUpperCase()} ${o.path}`, o] as const);

const app = useApp();
let mine: World;
let theirs: World;
let sibling: World;
let keys: Record<KeyRole, string>;
let bound: string;
let ofTest: string;

beforeAll(async () => {
  theirs = await buildWorld(app, { mode: 'live' });
  mine = await buildWorld(app, { mode: 'live' });
  sibling = await buildWorld(app, { mode: 'live', workspaceId: mine.workspaceId });
  const build = async (more: {
    role: KeyRole;
    programId?: string;
    mode?: Mode;
  }): Promise<string> => {
    const { workspaceId } = mine;
    const key = { workspaceId, kind: 'management', mode: 'live', ...more } as const;
    return (await buildApiKey(app.deps.db.manager, key)).key;
  };
  const [viewer, member, admin] = await Promise.all(keyRoles.map((role) => build({ role })));
  keys = { viewer: viewer ?? '', member: member ?? '', admin: admin ?? '' };
  bound = await build({ role: 'admin', programId: mine.programId });
  ofTest = await build({ role: 'admin', mode: 'test' });
}, 60_000);

/** What belongs to one mode; suppressed addresses, the workspace and its audit log belong to none. */
/** A biller belongs to nobody: what is asked of it is of the key's own workspace. */
const namesSomething = ({ path }: Operation) => /:(?!biller(\/events)?$)/.test(path);
const ofOneMode = managed.filter(
  ({ path, spec }) =>
    !spec.auth.ignoreMode && !/suppressed-addresses|\/(workspace|audit-log)$/.test(path),
);
const lists = ofOneMode.filter(({ method, path }) => method === 'get' && !path.includes(':'));

interface Call {
  token: string;
  mode?: Mode;
  world: World;
}

async function call(operation: Operation, { token, mode, world }: Call) {
  const path = operation.path.replace(/:(\w+)/g, (_match, name: string) =>
    world.id(name, operation.path),
  );
  const caller = app.client.as(token, mode);
  const url = path + (requiredQueries[operation.name] ?? '');
  const body = operation.spec.body ? (minimalBodies[operation.name] ?? {}) : undefined;
  if (operation.method === 'get') return caller.get(url);
  if (operation.method === 'delete') return caller.delete(url);
  return caller[operation.method](url, body);
}

const answerOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body['code'],
];

describe('a management key (accounts.md, Management keys)', () => {
  const refusing = guarded.filter((o) => !managed.includes(o) && o.spec.auth.kind !== 'publicKey');
  it.each(titled(refusing))('does not do %s', async (_, o) => {
    const { kind, refused } = o.spec.auth;
    for (const mode of ['live', 'test'] as const) {
      const answer = await call(o, { token: keys.admin, mode, world: mine });
      expect(answerOf(answer)).toEqual(kind === 'secretKey' ? [401, refused] : [403, 'FORBIDDEN']);
    }
  });

  it('is no person: what is one of these is refused', () => {
    const paths = refusing.filter(({ spec }) => spec.auth.kind === 'merchant').map((o) => o.path);
    for (const part of ['/auth/', '/members', '/api-keys', '/notifications', '/export'])
      expect(paths.filter((path) => path.includes(part))).not.toEqual([]);
    const others =
      /\/(auth|members|api-keys|notifications|payout-providers)\b|\/(partners\/:participantId\/export|export\/(:kind|terms)|payouts\/:id\/send|batches\/:batchId\/resolve)$/;
    expect(
      paths.filter((path) => !others.test(path) && !/\/workspace(\/reopen)?$/.test(path)),
    ).toEqual([]);
  });

  it.each(titled(managed.filter(({ spec }) => !spec.auth.ignoreMode)))(
    'of too low a role does not do %s',
    async (_, o) => {
      for (const role of keyRoles) {
        if (hasRole(role, o.spec.auth.role ?? 'viewer')) continue;
        const answer = await call(o, { token: keys[role], world: theirs });
        expect([role, ...answerOf(answer)]).toEqual([role, 403, o.spec.auth.forbidden]);
      }
    },
  );

  it.each(titled(managed))('of live mode does not do %s in test mode', async (_, o) => {
    const answer = await call(o, { token: keys.admin, mode: 'test', world: mine });
    expect(answerOf(answer)).toEqual([403, 'MODE_MISMATCH']);
  });

  const withIds = managed.filter(namesSomething);
  it.each(titled(withIds))("does not do %s with another workspace's ids", async (_, o) => {
    const before = await theirs.fingerprint();
    const answer = await call(o, { token: keys.admin, world: theirs });
    expect([403, 404]).toContain(answer.status);
    expect(theirs.secretsIn(answer.text)).toEqual([]);
    expect(await theirs.fingerprint()).toEqual(before);
  });

  it.each(titled(ofOneMode.filter(namesSomething)))(
    'of test mode does not do %s with ids of live mode',
    async (_, o) => {
      const before = await mine.fingerprint();
      const answer = await call(o, { token: ofTest, world: mine });
      expect(answerOf(answer)).toEqual([404, expect.stringMatching(/NOT_FOUND$/)]);
      expect(await mine.fingerprint()).toEqual(before);
    },
  );

  it.each(titled(lists))('of test mode sees nothing of live mode by %s', async (_, o) => {
    const answer = await call(o, { token: ofTest, world: mine });
    expect(answer.status).toBe(200);
    const secrets = mine.secretsIn(answer.text).filter((secret) => secret !== mine.workspaceId);
    expect(secrets).toEqual([]);
  });

  const reading = managed.filter(({ method, spec }) => method === 'get' && !spec.auth.ignoreMode);
  it.each(titled(reading))('does %s as a member does', async (_, o) => {
    const answers = [keys.admin, mine.owner.token].map((token) => call(o, { token, world: mine }));
    const [byKey, byMember] = await Promise.all(answers);
    // These worlds have no mail of test mode.
    expect(byKey?.status).toBe(o.path.includes(':entryId') ? 404 : 200);
    expect(byKey?.status).toBe(byMember?.status);
    expect(theirs.secretsIn(byKey?.text ?? '')).toEqual([]);
  });
});

describe('a management key of one programme', () => {
  it.each(titled(managed.filter(namesSomething)))(
    'does not do %s with those of another one of its workspace',
    async (_, o) => {
      const before = await sibling.fingerprint();
      const answer = await call(o, { token: bound, world: sibling });
      expect(answerOf(answer)).toEqual([403, 'FORBIDDEN']);
      expect(await sibling.fingerprint()).toEqual(before);
    },
  );

  const unnamed = managed.filter(({ path }) => !path.includes(':'));
  it.each(titled(unnamed))('does not do %s for the whole workspace', async (_, o) => {
    const before = await mine.fingerprint();
    const answer = await call(o, { token: bound, world: mine });
    expect(answerOf(answer)).toEqual([
      403,
      o.spec.auth.ignoreMode ? 'MODE_MISMATCH' : o.spec.auth.forbidden,
    ]);
    expect(await mine.fingerprint()).toEqual(before);
  });

  const ofProgram = managed.filter(
    ({ method, path }) => method === 'get' && /:programId|\/payouts\/:id|:conversionId/.test(path),
  );
  it.each(titled(ofProgram))('does %s in its own', async (_, o) => {
    expect((await call(o, { token: bound, world: mine })).status).toBe(200);
  });

  it.each([
    '/api/v1/analytics/metrics?from=2026-01-01&to=2026-01-31&tz=UTC&',
    '/api/v1/commissions?',
    '/api/v1/payouts?',
  ])('reads %s of its own only, when it is named', async (path) => {
    const caller = app.client.as(bound);
    expect((await caller.get(`${path}programId=${mine.programId}`)).status).toBe(200);
    expect((await caller.get(`${path}programId=${sibling.programId}`)).status).toBe(403);
  });

  it('creates payouts of its own only', async () => {
    const caller = app.client.as(bound);
    const own = { programId: mine.programId };
    expect((await caller.post('/api/v1/payouts/preview', own)).status).toBe(200);
    const other = { programId: sibling.programId };
    expect((await caller.post('/api/v1/payouts/preview', other)).status).toBe(403);
  });
});

describe('POST /v1/clicks by a management key', () => {
  const codeOf = async ({ programId }: World): Promise<string> => {
    const row = await queryOne<{ code: string }>(
      app.deps.db.manager,
      'SELECT referral_code AS code FROM participants WHERE program_id = $1',
      [programId],
    );
    return row?.code ?? '';
  };
  const report = async (token: string, world: World, more: { mode?: Mode; ref?: string } = {}) => {
    const ref = more.ref ?? (await codeOf(world));
    const visitor = { user_agent: visitorUserAgent, ip: '203.0.113.7' };
    return app.client.as(token, more.mode).post('/v1/clicks', { ref, ...visitor });
  };

  it('is refused to a viewer, and to one who names another mode, and records nothing', async () => {
    const before = await mine.fingerprint();
    expect(answerOf(await report(keys.viewer, mine))).toEqual([403, 'FORBIDDEN']);
    const inTest = await report(keys.member, mine, { mode: 'test' });
    expect(answerOf(inTest)).toEqual([403, 'MODE_MISMATCH']);
    expect(await mine.fingerprint()).toEqual(before);
  });

  it('is refused, and records nothing, for another programme than its own', async () => {
    const before = await sibling.fingerprint();
    expect(answerOf(await report(bound, sibling))).toEqual([403, 'FORBIDDEN']);
    expect(await sibling.fingerprint()).toEqual(before);
    expect((await report(bound, mine)).status).toBe(201);
    const nowhere = await report(bound, mine, { ref: 'nobody' });
    expect(nowhere.body).toEqual({ click_id: null, recorded: false, reason: 'unknown_ref' });
  });

  it('is done for every programme by a member whose key is of none', async () => {
    expect((await report(keys.member, mine)).status).toBe(201);
    expect((await report(keys.member, sibling)).status).toBe(201);
  });
});
