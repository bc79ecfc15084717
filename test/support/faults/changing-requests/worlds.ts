import { newId } from '../../../../entities/ids';
import type { Side } from '../../../../entities/rules/accounts/accounts';
import type { ParticipantStatus } from '../../../../entities/rules/partners/participant-status';
import type { Caller } from '../../api-client';
import type { TestApp } from '../../app';
import { buildApiKey, buildMember, buildPartner, signIn } from '../../build/accounts';
import { buildParticipant, buildProgram } from '../../build/programs';

/** One request on things of its own; what the path names is filled in from `ids`. */
export interface Prepared {
  by?: Caller;
  ids?: Record<string, string>;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export type Setup = (app: TestApp) => Promise<Prepared>;

export const text = (): string => newId().slice(-12);
export const email = (): string => `${text()}@example.com`;
export const reason = { reason: 'A reason' };

export async function merchant(app: TestApp) {
  const account = await buildMember(app.deps.db.manager);
  const session = await signIn(app.deps, account);
  const scope = { workspaceId: account.workspaceId, mode: 'test' as const };
  return { account, session, scope, by: app.client.as(session.accessToken, 'test') };
}

export async function partner(app: TestApp) {
  const account = await buildPartner(app.deps.db.manager);
  const session = await signIn(app.deps, account);
  return { account, session, by: app.client.as(session.accessToken, 'test') };
}

type ProgramWorld = Awaited<ReturnType<typeof ownProgram>>;
const shared = new WeakMap<TestApp, Promise<ProgramWorld>>();

/** The same for all requests that leave it as it is. */
export async function program(app: TestApp): Promise<ProgramWorld> {
  const known = shared.get(app) ?? ownProgram(app);
  shared.set(app, known);
  return known;
}

export async function ownProgram(app: TestApp, status: ParticipantStatus = 'approved') {
  const db = app.deps.db.manager;
  const owner = await merchant(app);
  const made = await buildProgram(db, owner.scope);
  const member = await partner(app);
  const participant = await buildParticipant(db, {
    program: made,
    partnerId: member.account.id,
    partnerEmail: member.account.email,
    status,
  });
  const ids = { programId: made.id, participantId: participant.id };
  return { ...owner, made, participant, member, ids };
}

export const inProgram =
  (body?: unknown, status?: ParticipantStatus): Setup =>
  async (app) => {
    const { by, ids } = await ownProgram(app, status);
    return { by, ids, body };
  };

export const signedInMerchant =
  (bodyOf: () => unknown = () => undefined): Setup =>
  async (app) => ({ by: (await merchant(app)).by, body: bodyOf() });
export const signedInPartner =
  (bodyOf: () => unknown = () => undefined): Setup =>
  async (app) => ({ by: (await partner(app)).by, body: bodyOf() });

export const accountOf = (app: TestApp, side: Side, verifiedAt: Date | null = new Date()) => {
  const build = side === 'merchant' ? buildMember : buildPartner;
  return build(app.deps.db.manager, { verifiedAt });
};

export const keyed = async (app: TestApp, kind: 'secret' | 'public') => {
  const world = await program(app);
  const { key } = await buildApiKey(app.deps.db.manager, { ...world.scope, kind });
  return { ...world, by: app.client.as(key) };
};
