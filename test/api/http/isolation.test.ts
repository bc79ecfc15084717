import { routes } from '../../../api/routes';
import { hasRole } from '../../../entities/rules/values/roles';
import type { Mode } from '../../../entities/rules/values/mode';
import { openStream, until } from '../../support/answers/event-stream';
import { useApp } from '../../support/app';
import { buildWorld, type World } from '../../support/world';
import { minimalBodies, requiredQueries } from '../../support/bodies/minimal';

const operations = routes;
const guarded = operations.filter(({ spec }) => spec.auth.kind !== 'open');
type Operation = (typeof operations)[number];

const app = useApp();
let mine: World;
let theirs: World;
let sibling: World;

beforeAll(async () => {
  theirs = await buildWorld(app, { mode: 'live' });
  mine = await buildWorld(app, { mode: 'live' });
  // Another programme of the caller's own workspace.
  sibling = await buildWorld(app, { mode: 'live', workspaceId: mine.workspaceId });
}, 60_000);

interface Call {
  token?: string | undefined;
  mode?: Mode;
  /** The ids of a world, which stand in the path. */
  ids: (name: string, operation: Operation) => string;
}

async function call(operation: Operation, { token, mode, ids }: Call) {
  const path = operation.path.replace(/:(\w+)/g, (_match, name: string) => ids(name, operation));
  const caller = token === undefined ? app.client : app.client.as(token, mode);
  const url = path + (requiredQueries[operation.name] ?? '');
  const body = operation.spec.body ? (minimalBodies[operation.name] ?? {}) : undefined;
  switch (operation.method) {
    case 'get':
      return caller.get(url);
    case 'delete':
      return caller.delete(url);
    case 'put':
      return caller.put(url, body);
    case 'patch':
      return caller.patch(url, body);
    default:
      return caller.post(url, body);
  }
}

const title = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;
const ownIds = (name: string, operation: Operation): string => mine.id(name, operation.path);
const foreignIds = (name: string, operation: Operation): string => theirs.id(name, operation.path);

describe('without a credential', () => {
  it.each(guarded.map((operation) => [title(operation), operation]))('%s is 401', async (_, o) => {
    const answer = await call(o, { ids: foreignIds });
    expect([answer.status, answer.body['code']]).toEqual([401, o.spec.auth.refused]);
    expect(answer.headers.get('www-authenticate')).toBeTruthy();
  });
});

describe('with a credential of the wrong kind', () => {
  it.each(guarded.map((operation) => [title(operation), operation]))('%s refuses', async (_, o) => {
    const { kind, refused } = o.spec.auth;
    const attempts: [string, number][] = [];
    if (kind === 'merchant' || kind === 'partner') {
      attempts.push([mine.keys.secret, 401], [mine.keys.public, 401]);
      attempts.push([kind === 'merchant' ? mine.partner.token : mine.owner.token, 403]);
    } else {
      attempts.push([mine.partner.token, kind === 'secretKeyOrMerchant' ? 403 : 401]);
      if (kind !== 'secretKeyOrMerchant') attempts.push([mine.owner.token, 401]);
      attempts.push([kind === 'publicKey' ? mine.keys.secret : mine.keys.public, 401]);
    }
    for (const [token, status] of attempts) {
      const answer = await call(o, { token, ids: ownIds });
      expect([answer.status, answer.body['code']]).toEqual([
        status,
        status === 401 ? refused : 'FORBIDDEN',
      ]);
    }
  });
});

describe('with too low a role (accounts.md, Roles)', () => {
  const ofMembers = guarded.filter(({ spec: { auth } }) =>
    ['merchant', 'secretKeyOrMerchant'].includes(auth.kind),
  );
  it.each(ofMembers.map((operation) => [title(operation), operation]))(
    '%s is 403',
    async (_, o) => {
      for (const role of ['viewer', 'member', 'admin'] as const) {
        if (hasRole(role, o.spec.auth.role ?? 'viewer')) continue;
        // The role is refused before anything is looked up: foreign and unknown ids make no difference.
        const answer = await call(o, { token: mine.members[role], ids: foreignIds });
        expect([role, answer.status, answer.body['code']]).toEqual([
          role,
          403,
          o.spec.auth.forbidden,
        ]);
      }
    },
  );
});

describe("with another workspace's ids (accounts.md, Modes)", () => {
  // Every partner may apply to every programme that takes applications.
  const withIds = guarded.filter(
    // A provider or biller belongs to nobody: what is asked of it is of the caller's own workspace.
    ({ path, name }) => /:(?!provider$|biller(\/events)?$)/.test(path) && name !== 'applyToProgram',
  );

  it.each(withIds.map((operation) => [title(operation), operation]))(
    '%s finds none',
    async (_, o) => {
      const before = await theirs.fingerprint();
      const answer = await call(o, { token: tokenFor(o, mine), ids: foreignIds });
      const underProgram = o.spec.auth.kind === 'merchant' && o.path.includes(':programId');
      expect([answer.status, answer.body['code']]).toEqual(
        underProgram || testOnly(o)
          ? [403, o.spec.auth.forbidden]
          : [404, expect.stringMatching(/NOT_FOUND$/)],
      );
      expect(theirs.secretsIn(answer.text)).toEqual([]);
      expect(await theirs.fingerprint()).toEqual(before);
    },
  );

  const ofOneMode = withIds.filter((o) => o.spec.auth.kind !== 'secretKey' && !modeless(o));
  it.each(ofOneMode.map((operation) => [title(operation), operation]))(
    '%s in the other mode',
    async (_, o) => {
      const before = await mine.fingerprint();
      const answer = await call(o, { token: tokenFor(o, mine), mode: 'test', ids: ownIds });
      expect([answer.status, answer.body['code']]).toEqual([
        404,
        expect.stringMatching(/NOT_FOUND$/),
      ]);
      expect(await mine.fingerprint()).toEqual(before);
    },
  );

  const ofKeys = withIds.filter((o) => takesKeys(o) && !modeless(o));
  it.each(ofKeys.map((operation) => [title(operation), operation]))(
    '%s with a key of the other mode',
    async (_, o) => {
      const before = await mine.fingerprint();
      const answer = await call(o, { token: mine.keys.testSecret, ids: ownIds });
      expect([answer.status, answer.body['code']]).toEqual([
        404,
        expect.stringMatching(/NOT_FOUND$/),
      ]);
      expect(await mine.fingerprint()).toEqual(before);
    },
  );

  // A format belongs to nobody, and neither does a kind of rows or a biller.
  const nested = withIds.filter(
    ({ path }) =>
      (path.match(/:/g) ?? []).length > 1 &&
      !path.endsWith(':format') &&
      !path.includes('/:biller/') &&
      !path.endsWith('/export/:kind'),
  );
  it.each(nested.map((operation) => [title(operation), operation]))(
    '%s under a parent that is not its own',
    async (_, o) => {
      const first = /:(\w+)/.exec(o.path)?.[1];
      for (const other of [theirs, sibling]) {
        const before = await other.fingerprint();
        const answer = await call(o, {
          token: tokenFor(o, mine),
          ids: (name, operation) =>
            name === first ? ownIds(name, operation) : other.id(name, operation.path),
        });
        expect([answer.status, answer.body['code']]).toEqual(
          testOnly(o) ? [403, 'FORBIDDEN'] : [404, expect.stringMatching(/NOT_FOUND$/)],
        );
        expect(await other.fingerprint()).toEqual(before);
      }
    },
  );

  const streams = guarded.filter(({ path }) => path.endsWith('/stream'));
  it.each(streams.map((operation) => [title(operation), operation]))(
    '%s begins, and shows none',
    async (_, o) => {
      const theirLast = await app.client
        .as(tokenFor(o, theirs), 'live')
        .get<{ data: { id: string }[] }>(o.path.replace(/\/stream$/, ''));
      const stream = await openStream(app.url + o.path, {
        token: tokenFor(o, mine),
        mode: 'live',
        lastEventId: theirLast.body.data[0]?.id ?? '',
      });
      await until(() => stream.unread() !== undefined);
      stream.close();
      expect(stream.status).toBe(200);
      expect(theirs.secretsIn(JSON.stringify(stream.events))).toEqual([]);
    },
  );

  // A stream does not end.
  const lists = guarded.filter(
    ({ method, path }) => method === 'get' && !path.includes(':') && !path.endsWith('/stream'),
  );
  it.each(lists.map((operation) => [title(operation), operation]))(
    '%s shows none',
    async (_, o) => {
      const answer = await call(o, { token: tokenFor(o, mine), ids: ownIds });
      expect(answer.status).toBe(200);
      expect(theirs.secretsIn(answer.text)).toEqual([]);
    },
  );

  // An account, a workspace and its audit log are the same in both modes.
  const listsOfOneMode = lists.filter(
    (o) =>
      ['merchant', 'partner'].includes(o.spec.auth.kind) &&
      !modeless(o) &&
      !/\/(account|workspace|audit-log)$/.test(o.path),
  );
  it.each(listsOfOneMode.map((operation) => [title(operation), operation]))(
    '%s shows nothing of the other mode',
    async (_, o) => {
      const answer = await call(o, { token: tokenFor(o, mine), mode: 'test', ids: ownIds });
      expect(answer.status).toBe(200);
      expect(mine.secretsIn(answer.text)).toEqual([]);
    },
  );

  const listsOfKeys = lists.filter((o) => takesKeys(o) && !modeless(o));
  it.each(listsOfKeys.map((operation) => [title(operation), operation]))(
    '%s shows nothing to a key of the other mode',
    async (_, o) => {
      const answer = await call(o, { token: mine.keys.testSecret, ids: ownIds });
      expect(answer.status).toBe(200);
      expect(mine.secretsIn(answer.text)).toEqual([]);
    },
  );

  it.each(['commissions', 'commissions/stats', 'commissions/export'])(
    'GET /%s narrowed to a foreign programme is 403, to an unknown one 404',
    async (path) => {
      const caller = app.client.as(mine.owner.token, 'live');
      const foreign = await caller.get(`/api/v1/${path}?programId=${theirs.programId}`);
      expect([foreign.status, foreign.body['code']]).toEqual([403, 'FORBIDDEN']);
      const unknown = await caller.get(`/api/v1/${path}?programId=${theirs.workspaceId}`);
      expect([unknown.status, unknown.body['code']]).toEqual([404, 'PROGRAM_NOT_FOUND']);
    },
  );
});

describe('with malformed ids', () => {
  const withIds = guarded.filter(({ path }) => path.includes(':'));
  const nested = withIds.filter(({ path }) => (path.match(/:/g) ?? []).length > 1);
  it.each(nested.map((operation) => [title(operation), operation]))(
    '%s asks for the parent before',
    async (_, o) => {
      const first = /:(\w+)/.exec(o.path)?.[1];
      const underProgram = o.spec.auth.kind === 'merchant' && first === 'programId';
      for (const bad of ['nonsense', '%00']) {
        const under = (world: World): Call['ids'] => {
          return (name) => (name === first ? world.id(name, o.path) : bad);
        };
        const token = tokenFor(o, mine);
        const foreign = await call(o, { token, ids: under(theirs) });
        expect([foreign.status, foreign.body['code']]).toEqual(
          underProgram ? [403, o.spec.auth.forbidden] : [404, expect.stringMatching(/NOT_FOUND$/)],
        );
        const own = await call(o, { token, ids: under(mine) });
        expect([own.status, own.body['code']]).toEqual(
          testOnly(o) ? [403, 'FORBIDDEN'] : [404, expect.stringMatching(/NOT_FOUND$/)],
        );
      }
    },
  );

  it.each(withIds.map((operation) => [title(operation), operation]))('%s is 404', async (_, o) => {
    for (const bad of ['nonsense', '%00', "1'--", '00000000-0000-0000-0000-00000000000g']) {
      const answer = await call(o, { token: tokenFor(o, mine), ids: () => bad });
      expect([bad, answer.status]).toEqual([bad, 404]);
    }
  });
});

/** Operations that are refused in live mode, in which these worlds are, before anything is looked up. */
function testOnly({ name }: Operation): boolean {
  return name === 'expireClick' || name === 'elapseCommissionHold';
}

/** Accounts, keys, members, sessions and suppressed addresses belong to no mode. */
function modeless({ path }: Operation): boolean {
  return /api-keys|members|sessions|suppressed|notification-log/.test(path);
}

function takesKeys({ spec }: Operation): boolean {
  return spec.auth.kind === 'secretKey' || spec.auth.kind === 'secretKeyOrMerchant';
}

function tokenFor({ spec }: Operation, world: World): string {
  if (spec.auth.kind === 'partner') return world.partner.token;
  if (spec.auth.kind === 'secretKey') return world.keys.secret;
  if (spec.auth.kind === 'publicKey') return world.keys.public;
  return world.owner.token;
}
