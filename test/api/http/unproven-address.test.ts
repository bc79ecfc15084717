import { routes } from '../../../api/routes';
import { claimToken } from '../../../activities/accounts/claim';
import type { ParticipantDto } from '../../../api/participants/participants.dto';
import { execute } from '../../../entities/database/sql';
import { Participant } from '../../../entities/tables/partners/participant.entity';
import { TrackingLink } from '../../../entities/tables/partners/tracking-link.entity';
import { useApp } from '../../support/app';
import {
  buildApiKey,
  buildPartner,
  signIn,
  testPassword,
  type BuiltPartner,
} from '../../support/build/accounts';
import { buildProgram } from '../../support/build/programs';
import { oneRow } from '../../support/rows';
import { minimalBodies, requiredQueries } from '../../support/bodies/minimal';
import { buildWorld, type World } from '../../support/world';

/** A stream does not end, and an erasure takes a worker: it goes by what the account has. */
const operations = routes.filter(
  ({ spec, name }) =>
    spec.auth.kind === 'partner' && !/^(streamPartner|erasePartnerAccount)/.test(name),
);
type Operation = (typeof operations)[number];

const app = useApp();
const email = `held-${process.pid}@partner.example`;
let theirs: World;
let participantId: string;
let first: BuiltPartner;

/** A server adds an address that somebody has registered with; everything there is that participant's. */
beforeAll(async () => {
  first = await buildPartner(app.deps.db.manager, { email, verifiedAt: null });
  theirs = await buildWorld(app, {
    mode: 'live',
    enter: async ({ id: programId, workspaceId }, name) => {
      const { manager } = app.deps.db;
      const { key } = await buildApiKey(manager, { kind: 'management', mode: 'live', workspaceId });
      const path = `/api/v1/programs/${programId}/partners`;
      const added = await app.client.as(key).post<ParticipantDto>(path, { email, name });
      participantId = added.body.id;
      const row = await oneRow(manager, Participant, { id: participantId });
      const link = await oneRow(manager, TrackingLink, { participantId, isDefault: true });
      return { ...row, linkId: link.id };
    },
  });
}, 60_000);

function call(operation: Operation, token: string) {
  const path = operation.path.replace(/:(\w+)/g, (_match, name: string) =>
    theirs.id(name, operation.path),
  );
  const caller = app.client.as(token, 'live');
  const url = path + (requiredQueries[operation.name] ?? '');
  const body = operation.spec.body ? (minimalBodies[operation.name] ?? {}) : undefined;
  if (operation.method === 'get') return caller.get(url);
  if (operation.method === 'delete') return caller.delete(url);
  return caller[operation.method as 'post' | 'put' | 'patch'](url, body);
}

const title = ({ method, path }: Operation): string => `${method.toUpperCase()} ${path}`;

describe.each([
  ['that registered with an address and never proved it', squatter],
  ['of a sandbox, by a mail of test mode to that address', sandbox],
])('an account %s', (_kind, enter) => {
  it.each(operations.map((operation) => [title(operation), operation] as const))(
    '%s shows nothing of what hangs on it, and changes nothing there',
    async (_title, operation) => {
      const token = await enter();
      const before = await theirs.fingerprint();
      const answer = await call(operation, token);
      if (operation.path.includes(':')) {
        const refused = operation.name === 'applyToProgram' ? [404, 409] : [404];
        expect(refused).toContain(answer.status);
      } else expect(answer.status).toBeLessThan(500);
      expect(theirs.secretsIn(answer.text)).toEqual([]);
      expect(await theirs.fingerprint()).toEqual(before);
    },
  );
});

it('leaves all of it to who follows the mail', async () => {
  await squatter();
  const { db, vault } = app.deps;
  const token = await claimToken({ db: db.manager, vault }, participantId);
  const claimed = await app.client.post<{ accessToken: string }>('/api/v1/auth/partner/claim', {
    token,
    password: 'a long enough password',
  });
  expect(claimed.status).toBe(200);
  const me = app.client.as(claimed.body.accessToken);
  const mine = await me.get<{ data: { participantId: string }[] }>('/api/v1/partner/programs');
  expect(mine.body.data.map((row) => row.participantId)).toEqual([participantId]);
  const commissions = await me.get<{ total: number }>('/api/v1/partner/commissions');
  expect(commissions.body.total).toBeGreaterThan(1);
});

/** The account that was there first, with the address again, wherever a route has moved it. */
async function squatter(): Promise<string> {
  await execute(
    app.deps.db.manager,
    'UPDATE partner_accounts SET email = $2, email_verified_at = NULL WHERE id = $1',
    [first.id, email],
  );
  return (await signIn(app.deps, first)).accessToken;
}

/** Each in a workspace of its own: its person is the merchant who read the mail in the log. */
async function sandbox(): Promise<string> {
  const { db, vault } = app.deps;
  const { workspaceId, id: programId } = await buildProgram(db.manager, { mode: 'test' });
  const { key } = await buildApiKey(db.manager, { kind: 'management', mode: 'test', workspaceId });
  const path = `/api/v1/programs/${programId}/partners`;
  const added = await app.client.as(key).post<ParticipantDto>(path, { email, name: 'Anna' });
  const token = await claimToken({ db: db.manager, vault }, added.body.id);
  const claimed = await app.client.post<{ accessToken: string }>('/api/v1/auth/partner/claim', {
    token,
    password: testPassword,
  });
  return claimed.body.accessToken;
}
