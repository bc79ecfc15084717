import type { Principal } from '../../../activities/credentials/principals';
import { AppError, validationError, type ErrorCode } from '../../../entities/errors';
import type { Side } from '../../../entities/rules/accounts/accounts';
import type { Actor } from '../../../entities/rules/values/actor';
import { modes, parseKey, type KeyKind, type Mode } from '../../../entities/rules/values/mode';
import { hasRole, type Role } from '../../../entities/rules/values/roles';
import type { Auth, AuthKind } from '../contract/credential';
import type { LimitState } from '../../../runtime/connections/rate-limiter';
import type { Zone } from '../contract/limiter';
import type { RequestContext } from '../contract/request';

/**
 * The principal of a secret key that is in the cache: the limits of its address and of the key itself
 * are checked in one trip to Redis. Undefined for any other credential, whose address is checked
 * before it is resolved.
 */
export async function admitKnownKey(
  request: RequestContext,
  auth: Auth<unknown>,
): Promise<Principal | undefined> {
  if (auth.kind !== 'secretKey' && auth.kind !== 'secretKeyOrMerchant') return undefined;
  const [zone] = auth.zones;
  const token = bearerToken(request);
  const { keys } = request.services.credentials;
  if (!zone || !token || !keys.has(token)) return undefined;
  const principal = await keys.resolve({ key: token, kind: 'secret' }, request.now);
  if (!principal) return undefined;

  const { watched, counted } = await request.services.limiter.consumeUnless(
    { zone: 'general', subject: addressSubject(request) },
    { zone, subject: subjectOf(principal) },
  );
  if (watched?.exceeded) refuse(request, 'general', watched);
  showLimit(request, zone, counted);
  limitWorkspace(request, zone, principal.workspaceId);
  return principal;
}

/** Whoever asks an open endpoint. */
export function asVisitor(request: RequestContext): void {
  request.principal = undefined;
  request.scope = undefined;
  request.mode = 'live';
  request.actor = { type: 'system', id: null };
}

/** HTTPS_REQUIRED over plain http, where HTTPS is required. */
export function requireHttps(
  request: RequestContext,
  { httpAllowed }: { httpAllowed?: boolean },
): void {
  const { deps, services } = request;
  if (httpAllowed || !deps.config.requireHttps) return;
  if (services.addressOf(request.req).scheme === 'http') throw new AppError('HTTPS_REQUIRED');
}

/** An address that keeps sending bad credentials is refused before its next one is checked. */
export async function limitAddress(request: RequestContext, auth: Auth<unknown>): Promise<void> {
  const isPage = request.req.headers['x-session'] === 'cookie';
  const zone = (isPage && auth.cookieZone) || auth.addressZone;
  if (zone) {
    await countOrRefuse(request, zone, addressSubject(request));
  } else if (auth.kind !== 'open' && auth.kind !== 'publicKey') {
    await refuseGuesser(request);
  }
}

/** Refuses an address of which too many credentials were refused. */
export async function refuseGuesser(request: RequestContext): Promise<void> {
  const state = await request.services.limiter.peek('general', addressSubject(request));
  if (state?.exceeded) refuse(request, 'general', state);
}

/** Counts the request of a principal in each zone of the endpoint; 429 beyond. */
export async function limitPrincipal(
  request: RequestContext,
  auth: Auth<unknown>,
  principal: Principal,
): Promise<void> {
  const subject = subjectOf(principal);
  for (const zone of zonesOf(auth, principal)) {
    await countOrRefuse(request, zone, subject);
    if ('apiKeyId' in principal) limitWorkspace(request, zone, principal.workspaceId);
  }
}

/** The zone of conversions is for secret keys and for members who try one. */
function zonesOf({ zones }: Auth<unknown>, { kind }: Principal): Zone[] {
  if (kind !== 'management_key') return zones;
  return zones.map((zone) => (zone === 'conversions' ? 'general' : zone));
}

/** All keys of a workspace together: 429 beyond what they may send. */
export function limitWorkspace(request: RequestContext, zone: Zone, workspaceId: string): void {
  const { services } = request;
  const state = services.limiter.consumeShared(zone, workspaceId);
  if (state?.exceeded) refuse(request, zone, state);
}

/** Counts a request in a zone, reports the limit in the headers, and throws 429 beyond it. */
async function countOrRefuse(request: RequestContext, zone: Zone, subject: string): Promise<void> {
  showLimit(request, zone, await request.services.limiter.consume(zone, subject));
}

/** Tells the state of a limit in the headers, and throws 429 beyond it. */
export function showLimit(
  request: RequestContext,
  zone: Zone,
  state: LimitState | undefined,
): void {
  if (!state) return;
  setLimitHeaders(request, state);
  if (state.exceeded) refuse(request, zone, state);
}

/** 429 with the state of the limit in the headers. */
function refuse(request: RequestContext, zone: Zone, state: LimitState): never {
  setLimitHeaders(request, state);
  const code: ErrorCode = zone === 'waitlist' ? 'RATE_LIMITED' : 'RATE_LIMIT_EXCEEDED';
  throw new AppError(code, { headers: { 'Retry-After': String(state.resetSeconds) } });
}

function setLimitHeaders(request: RequestContext, state: LimitState): void {
  request.set('RateLimit-Limit', String(state.limit));
  request.set('RateLimit-Remaining', String(state.remaining));
  request.set('RateLimit-Reset', String(state.resetSeconds));
}

/** A refused credential counts in the general zone of its address. */
export async function refuseCredential(request: RequestContext, code: ErrorCode): Promise<never> {
  await countOrRefuse(request, 'general', addressSubject(request));
  throw new AppError(code, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** Addresses are kept as keyed hashes only, for the minute of a limit, too. */
function addressSubject({ clientIp, deps }: RequestContext): string {
  return `ip:${deps.vault.ipHash(clientIp)}`;
}

/** Who asks; a credential that is none counts in the zone of its address, and is refused. */
export async function resolvePrincipal(
  request: RequestContext,
  auth: Auth<unknown>,
): Promise<Principal> {
  const token = bearerToken(request);
  const principal =
    token === undefined ? await byTicket(request, auth) : await resolve(request, auth, token);
  if (principal) return principal;
  const { services, now } = request;
  if (auth.erased && token && (await services.credentials.isOfErasedPartner(token, now))) {
    throw new AppError(auth.erased);
  }
  // A session or key store that is away has thrown before: this credential is really bad.
  return refuseCredential(request, auth.refused);
}

/** A stream ticket in the query, for clients that cannot send a header; a ticket of the other side is none. */
async function byTicket(
  { services, now, query }: RequestContext,
  { kind, ticket: takesTicket }: Auth<unknown>,
): Promise<Principal | undefined> {
  const { ticket } = query;
  if (!takesTicket || typeof ticket !== 'string') return undefined;
  const side = kind === 'partner' ? 'partner' : 'merchant';
  return services.credentials.resolveTicket({ ticket, side }, now);
}

export function bearerToken(request: RequestContext): string | undefined {
  const match = /^Bearer +([^\s,]{1,4096}) *$/i.exec(request.get('authorization'));
  return match?.[1];
}

/** Keys that are no bad credential there; a management key is told when it reaches too far. */
const keysOf: Record<AuthKind, readonly KeyKind[]> = {
  merchant: ['management'],
  partner: ['management'],
  secretKeyOrMerchant: ['secret', 'management'],
  secretKey: ['secret'],
  publicKey: [],
  open: [],
};

async function resolve(
  { services: { credentials }, now }: RequestContext,
  { kind }: Auth<unknown>,
  token: string,
): Promise<Principal | undefined> {
  const key = parseKey(token);
  if (key) {
    const isTaken = keysOf[kind].includes(key.kind);
    return isTaken ? credentials.keys.resolve({ key: token, kind: key.kind }, now) : undefined;
  }
  return kind === 'secretKey' ? undefined : credentials.resolveAccount(token, now);
}

function subjectOf(principal: Principal): string {
  return 'apiKeyId' in principal ? `key:${principal.apiKeyId}` : `account:${principal.accountId}`;
}

/**
 * A key's prefix fixes it, a dashboard request names it in X-Mode. A management key stands in for such
 * a request, so that what it names besides has to be the same.
 */
export function readMode(request: RequestContext, auth: Auth<unknown>, principal: Principal): Mode {
  const header = request.req.headers['x-mode'];
  if (principal.kind === 'management_key') requireOwnMode(auth, { header, own: principal.mode });
  if (principal.mode) return principal.mode;
  if (auth.ignoreMode || header === undefined) return 'live';
  const mode = modes.find((candidate) => candidate === header);
  if (!mode) throw validationError('X-Mode', 'must be test or live');
  return mode;
}

function requireOwnMode(
  { kind, ignoreMode, personOnly }: Auth<unknown>,
  { header, own }: { header: string | string[] | undefined; own: Mode },
): void {
  // Such an endpoint refuses a management key in every mode, so the mode is not compared.
  if (kind === 'partner' || personOnly) return;
  // An endpoint that does not read X-Mode is about test data.
  const asked = ignoreMode ? 'test' : (header ?? own);
  if (asked !== own) throw new AppError('KEY_MODE_MISMATCH');
}

/** FORBIDDEN on the other side's endpoints, the endpoint's own code for a role that is too low. */
export function requireRole(auth: Auth<unknown>, principal: Principal): void {
  switch (principal.kind) {
    case 'secret_key':
    case 'public_key':
      return;
    case 'partner':
      return requireSide(auth, 'partner');
    case 'management_key':
      requireSide(auth, 'merchant');
      if (auth.personOnly) throw new AppError('FORBIDDEN');
      return requireAtLeast(auth, principal.role);
    case 'merchant':
      requireSide(auth, 'merchant');
      if (principal.lacksTwoFactor && !auth.ownAccount) {
        throw new AppError('TWO_FACTOR_SETUP_REQUIRED');
      }
      return requireAtLeast(auth, principal.role);
  }
}

function requireSide({ kind }: Auth<unknown>, side: Side): void {
  if ((kind === 'partner') !== (side === 'partner')) throw new AppError('FORBIDDEN');
}

function requireAtLeast({ role, forbidden }: Auth<unknown>, has: Role): void {
  if (role && !hasRole(has, role)) throw new AppError(forbidden);
}

/** Who history and audit will name. */
export function actorOf(principal: Principal): Actor {
  switch (principal.kind) {
    case 'merchant':
      return { type: 'member', id: principal.accountId };
    case 'partner':
      return { type: 'partner', id: principal.accountId };
    default:
      return { type: 'api_key', id: principal.apiKeyId };
  }
}
