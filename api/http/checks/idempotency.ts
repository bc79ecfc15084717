import { createHash } from 'node:crypto';
import type { Principal } from '../../../activities/credentials/principals';
import type { BoxPlace } from '../../../runtime/crypto/vault';
import { isDatabaseOutage } from '../../../entities/database/errors';
import { retryWhileLocked } from '../../../runtime/load/retry';
import { AppError, validationError } from '../../../entities/errors';
import { isUuid, newId } from '../../../entities/ids';
import type { Mode } from '../../../entities/rules/values/mode';
import { type Db, execute, queryOne, transaction } from '../../../entities/database/sql';
import { isTooDeep } from '../contract/body/body';
import { toEnvelope } from '../contract/error-envelope';
import type { RequestContext } from '../contract/request';
import { createAbandonedClaims, type AbandonedClaims } from './abandoned-claims';

declare module '../contract/request' {
  interface ApiServices {
    abandonedClaims: AbandonedClaims<Claim>;
  }
}

/** What a request does: first what talks to the network, then the work on the database. */
export interface KeyedWork {
  prepare?: () => Promise<void>;
  handler: () => Promise<void>;
}

export interface Claim {
  principalId: string;
  workspaceId: string | null;
  mode: Mode;
  path: string;
  key: string;
  bodyHash: string;
  token: string;
  now: Date;
}

interface Answer {
  status: number;
  body: unknown;
  location?: string;
}

/** A claim whose process died is free again after this time. */
const claimMs = 60_000;
/** One whose process lives lasts as long as its work: it is renewed in time. */
const renewEveryMs = claimMs / 3;
const keptMs = 24 * 3_600_000;

/** Answers that depend on the moment or the caller rather than on the request are not kept. */
const notStored = new Set([400, 401, 403, 413, 415, 429]);

/**
 * Runs a handler at most once per Idempotency-Key. The first answer is replayed for 24 hours; it
 * commits together with the handler's own work, or (`claimed`) right after it. `none`: of a key only
 * the form is checked.
 */
export async function runIdempotent(
  request: RequestContext,
  manner: 'transaction' | 'claimed' | 'none',
  work: KeyedWork,
): Promise<void> {
  if (!takesKey(request)) return runPlain(work);

  const key = String(request.req.headers['idempotency-key']);
  assertKey(key);
  if (manner === 'none') return runPlain(work);
  const claim = buildClaim(request, key);
  try {
    const stored = await takeClaim(request, claim);
    if (stored) return replay(request, stored);
    const run = manner === 'claimed' ? runClaimed : runInTransaction;
    await whileRenewed(request, claim, () => run(request, claim, work));
  } catch (error) {
    await giveUp(request, claim, error);
    throw error;
  }
}

/** Whether it has a key that counts: without a credential a key belongs to no account. */
function takesKey({ method, principal, req }: RequestContext): boolean {
  return (
    method === 'POST' && principal !== undefined && req.headers['idempotency-key'] !== undefined
  );
}

async function runPlain(work: KeyedWork): Promise<void> {
  await work.prepare?.();
  await work.handler();
}

function assertKey(key: string): void {
  if (key.length < 1 || key.length > 255 || !/^[\x20-\x7e]+$/.test(key)) {
    throw validationError('Idempotency-Key', 'must be 1 to 255 printable characters');
  }
}

function buildClaim(request: RequestContext, key: string): Claim {
  const principal = request.principal as Principal;
  return {
    principalId: 'apiKeyId' in principal ? principal.apiKeyId : principal.accountId,
    workspaceId: 'workspaceId' in principal ? principal.workspaceId : null,
    mode: request.mode,
    path: operationOf(request.path),
    key,
    bodyHash: hashOf(whatIsAsked(request)),
    token: newId(),
    now: request.now,
  };
}

/** Ids in a path count in any case, as they do where they are read. */
function operationOf(path: string): string {
  return path.replace(/[^/]+/g, (part) => (isUuid(part) ? part.toLowerCase() : part));
}

/**
 * The body, and what the endpoint knows of the query: that may say as much, such as whether a file is
 * only tried, or booked. Another query string by itself is the same request.
 */
function whatIsAsked({ bodyAsSent, input }: RequestContext): unknown {
  const query = { ...(input as { query?: object } | undefined)?.query };
  return Object.keys(query).length === 0 ? bodyAsSent : [bodyAsSent, query];
}

/** A hash of the JSON value: another order of its fields is the same body. */
function hashOf(body: unknown): string {
  // Endpoints that ignore what they do not know have not looked into it.
  if (isTooDeep(body)) throw validationError('body', 'is nested too deeply');
  const canonical = JSON.stringify(body, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(canonical).digest('hex');
}

/** Takes the key for this request; gives the stored answer when there is one. */
async function takeClaim(request: RequestContext, claim: Claim): Promise<Answer | undefined> {
  const { deps } = request;
  const { now } = claim;
  const taken = await execute(
    deps.db.manager,
    `INSERT INTO idempotency_keys AS known
       (principal_id, mode, path, key, workspace_id, body_hash, claim_token, claimed_at, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
     ON CONFLICT ON CONSTRAINT uq_idempotency_key DO UPDATE
       SET body_hash = excluded.body_hash, claim_token = excluded.claim_token,
           claimed_at = excluded.claimed_at, created_at = excluded.created_at, answer = NULL
       WHERE (known.answer IS NULL AND known.claimed_at < $9) OR known.created_at < $10`,
    [
      ...identity(claim),
      claim.workspaceId,
      claim.bodyHash,
      claim.token,
      now,
      new Date(now.getTime() - claimMs),
      new Date(now.getTime() - keptMs),
    ],
  );
  if (taken === 1) return undefined;

  const known = await queryOne<Known>(
    deps.db.manager,
    `SELECT body_hash AS "bodyHash", claim_token AS token, answer, claimed_at AS "claimedAt", created_at AS "createdAt"
       FROM idempotency_keys
     WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4`,
    identity(claim),
  );
  if (known && known.bodyHash !== claim.bodyHash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  if (!known?.answer) {
    const abandoned = known && request.services.abandonedClaims.find(known.token);
    if (!abandoned) throw inProgress(known && secondsToWait(known, now));
    await dropClaims(deps.db.manager, [abandoned]);
    return takeClaim(request, claim);
  }
  return JSON.parse(deps.vault.decrypt(known.answer, placeOf(claim))) as Answer;
}

interface Known {
  bodyHash: string;
  token: string;
  answer: string | null;
  claimedAt: Date;
  createdAt: Date;
}

/**
 * The seconds until a repeat is worth while: as long again as the first request has taken so far,
 * since most are soon done; at the latest when its claim is free.
 */
function secondsToWait({ createdAt, claimedAt }: Known, now: Date): number {
  const untilFree = claimedAt.getTime() + claimMs - now.getTime();
  const taken = now.getTime() - createdAt.getTime();
  return Math.max(1, Math.ceil(Math.min(taken, untilFree) / 1_000));
}

function inProgress(seconds = 1): AppError {
  return new AppError('IDEMPOTENCY_IN_PROGRESS', { headers: { 'Retry-After': String(seconds) } });
}

async function whileRenewed(
  { deps }: RequestContext,
  claim: Claim,
  work: () => Promise<void>,
): Promise<void> {
  const timer = setInterval(() => {
    // One that fails is made up for by the next.
    renewClaim(deps, claim).catch(() => undefined);
  }, renewEveryMs).unref();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

/** Changes nothing once the answer is there, or another request has the key. */
async function renewClaim({ db, clock }: RequestContext['deps'], claim: Claim): Promise<void> {
  await execute(
    db.manager,
    `UPDATE idempotency_keys SET claimed_at = $6
     WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4 AND claim_token = $5
       AND answer IS NULL`,
    [...identity(claim), claim.token, clock.now()],
  );
}

async function runInTransaction(
  request: RequestContext,
  claim: Claim,
  work: KeyedWork,
): Promise<void> {
  const refused = await isRefused(request, work.prepare);
  await commitWithAnswer(request, claim, refused ? undefined : work.handler);
}

function commitWithAnswer(
  request: RequestContext,
  claim: Claim,
  handler: KeyedWork['handler'] | undefined,
): Promise<void> {
  const { db } = request;
  const commit = async (tx: Db): Promise<void> => {
    // The inner savepoint undoes the work of a refusal, whose answer is stored all the same.
    const attempt = (): Promise<void> =>
      transaction(tx, async (inner) => {
        request.db = inner;
        await handler?.();
      });
    if (handler) await isRefused(request, attempt);
    await storeAnswer(request, tx, claim);
  };
  // Whoever began the transaction waits for what is locked: the handler cannot.
  return retryWhileLocked(db, () => transaction(db, commit));
}

async function runClaimed(request: RequestContext, claim: Claim, work: KeyedWork): Promise<void> {
  if (!(await isRefused(request, work.prepare))) await isRefused(request, work.handler);
  await storeAnswer(request, request.deps.db.manager, claim);
}

/** True when the attempt was refused for good: the refusal is then the answer. */
async function isRefused(ctx: RequestContext, attempt: KeyedWork['prepare']): Promise<boolean> {
  try {
    await attempt?.();
    return false;
  } catch (error) {
    answerRefusal(ctx, error);
    return true;
  }
}

/** Turns a refusal that is to be kept into the answer; throws everything else on. */
function answerRefusal(ctx: RequestContext, error: unknown): void {
  if (!(error instanceof AppError) || notStored.has(error.status) || error.status >= 500) {
    throw error;
  }
  ctx.status = error.status;
  ctx.set(error.headers);
  ctx.body = toEnvelope(error);
}

async function storeAnswer(request: RequestContext, db: Db, claim: Claim): Promise<void> {
  const location = request.response.get('Location');
  const answer: Answer = {
    status: request.status,
    body: request.body ?? null,
    ...(location ? { location } : {}),
  };
  const stored = await execute(
    db,
    `UPDATE idempotency_keys SET answer = $6
     WHERE principal_id = $1 AND mode = $2 AND path = $3 AND key = $4 AND claim_token = $5`,
    [
      ...identity(claim),
      claim.token,
      request.deps.vault.encrypt(JSON.stringify(answer), placeOf(claim)),
    ],
  );
  // Another request took the claim over because we were slower than it lasts: their answer counts.
  if (stored !== 1) throw inProgress();
}

/** A repeat finds the key free, also after an outage: nothing was done, or the answer is there. */
async function giveUp(
  { deps, services }: RequestContext,
  claim: Claim,
  error: unknown,
): Promise<void> {
  if (isDatabaseOutage(error)) services.abandonedClaims.remember(claim);
  await dropClaims(deps.db.manager, [claim]).catch(() => services.abandonedClaims.add(claim));
}

/** The keys that requests of a process left when the database was away. */
export function createKeyClaims(db: Db): AbandonedClaims<Claim> {
  return createAbandonedClaims((claims) => dropClaims(db, claims), { lastMs: claimMs });
}

async function dropClaims(db: Db, claims: Claim[]): Promise<void> {
  const parts = [0, 1, 2, 3].map((part) => claims.map((claim) => identity(claim)[part]));
  await execute(
    db,
    `DELETE FROM idempotency_keys AS k
      USING unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         AS c (principal_id, mode, path, key, token)
      WHERE k.principal_id = c.principal_id::uuid AND k.mode = c.mode AND k.path = c.path
        AND k.key = c.key AND k.claim_token = c.token::uuid AND k.answer IS NULL`,
    [...parts, claims.map(({ token }) => token)],
  );
}

function placeOf(claim: Claim): BoxPlace {
  return ['idempotency_keys.answer', ...identity(claim)];
}

function identity({ principalId, mode, path, key }: Claim): string[] {
  return [principalId, mode, path, key];
}

function replay(ctx: RequestContext, answer: Answer): void {
  ctx.status = answer.status;
  ctx.body = answer.body;
  if (answer.body === null) ctx.status = answer.status;
  if (answer.location) ctx.set('Location', answer.location);
  ctx.set('Idempotent-Replayed', 'true');
}
