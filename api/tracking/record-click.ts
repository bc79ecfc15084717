import type { Context } from 'koa';
import type { Arrival, Visit } from '../../activities/clicks/record';
import type { KeyPrincipal, ManagementKeyPrincipal } from '../../activities/credentials/principals';
import type { AskedKey } from '../../activities/credentials/api-key-cache';
import { AppError } from '../../entities/errors';
import { parseKey, type KeyKind } from '../../entities/rules/values/mode';
import {
  bearerToken,
  limitWorkspace,
  readMode,
  refuse,
  refuseCredential,
  refuseGuesser,
  requireHttps,
  requireRole,
  setLimitHeaders,
} from '../http/checks/authorize';
import type { EndpointContext } from '../http/contract/contract';
import { runIdempotent } from '../http/checks/idempotency';
import { isObject, namesVisitor, readClick, readMessage, type ClickMessage } from './click-message';
import { presentAnswer, type ClickBody } from './clicks.dto';
import { clickAuth, requireOwnProgram } from './managed-click';

/** Kinds of keys, as bearers, with which a server reports clicks of visitors that it names. */
const serverKinds: readonly KeyKind[] = ['secret', 'management'];

type ClickContext = EndpointContext<Record<never, never>, unknown, unknown, KeyPrincipal>;

/**
 * POST /v1/clicks. It runs the checks of every endpoint, in their order, by itself: the key may be
 * in the body, and limit and repeat are looked up in one go.
 */
export async function recordClick(koaContext: Context): Promise<void> {
  const ctx = koaContext as ClickContext;
  const recorder = ctx.services.clicks;
  requireHttps(ctx, {});
  const message = await readMessage(ctx);
  const asked = credentialOf(ctx, message);
  // Most keys come again within the second: nothing has to be waited for then.
  const known = asked && ctx.services.credentials.keys.known(asked, ctx.now);
  const key = known ?? (await authenticate(ctx, message, asked));
  limitWorkspace(ctx, 'tracking', key.workspaceId);
  ctx.principal = key;
  ctx.mode = key.mode;
  ctx.actor = { type: 'api_key', id: key.apiKeyId };
  const click =
    key.kind === 'management_key' ? await readManaged(ctx, message, key) : readFields(message, key);

  const visit = click instanceof AppError ? undefined : toVisit(ctx, key, click);
  // With an Idempotency-Key the click may be replayed: nothing is reserved before that is known.
  const isReplayable = ctx.req.headers['idempotency-key'] !== undefined;
  const sender = { apiKeyId: key.apiKeyId, visitorIp: isOfBrowser(key) ? ctx.clientIp : null };
  const arrival = await recorder.arrive(sender, isReplayable ? undefined : visit);
  setAndCheckLimit(ctx, arrival);
  if (click instanceof AppError) throw click;

  ctx.input = { params: {}, query: {}, body: click };
  ctx.bodyAsSent = message.value;
  ctx.set('Cache-Control', 'no-store');
  const handler = (): Promise<void> => answerClick(ctx, visit as Visit, arrival);
  await (isReplayable ? runIdempotent(ctx, 'claimed', { handler }) : handler());
}

async function answerClick(ctx: ClickContext, visit: Visit, arrival: Arrival): Promise<void> {
  const outcome = await ctx.services.clicks.record(visit, arrival);
  const isNew = outcome.recorded && outcome.created;
  if (isNew) ctx.set('Location', `/api/v1/attribution/clicks/${outcome.clickId}`);
  ctx.status = isNew ? 201 : 200;
  ctx.body = presentAnswer(outcome);
}

/** The bearer when there is one, whatever it is; else the body's `key`. */
async function authenticate(
  ctx: ClickContext,
  message: ClickMessage,
  asked: AskedKey | undefined,
): Promise<KeyPrincipal> {
  const hasHeader = ctx.req.headers.authorization !== undefined;
  // A body that could not be read may well have held a key: say what is wrong with it.
  if (!hasHeader) refuseUnread(message);

  // A guess costs a look-up, so an address that keeps guessing is refused before it. A key that is
  // known passes: many visitors share an address, and one shop's old snippet must not cost others.
  const { keys } = ctx.services.credentials;
  if (!asked || !keys.has(asked.key)) await refuseGuesser(ctx);
  const key = asked && (await keys.resolve(asked, ctx.now));
  if (!key) return refuseCredential(ctx, 'INVALID_PUBLIC_KEY');

  return key;
}

/** A key of a kind that may be where it stands; a server's tells who the visitor is. */
function credentialOf(ctx: ClickContext, { value }: ClickMessage): AskedKey | undefined {
  const isBearer = ctx.req.headers.authorization !== undefined;
  const key = isBearer ? bearerToken(ctx) : keyOf(value);
  const kind = key === undefined ? undefined : parseKey(key)?.kind;
  if (key === undefined || kind === undefined) return undefined;
  const isTaken =
    kind === 'public' || (isBearer && serverKinds.includes(kind) && namesVisitor(value));
  return isTaken ? { key, kind } : undefined;
}

function isOfBrowser(key: KeyPrincipal): boolean {
  return key.kind === 'public_key';
}

function refuseUnread({ value, refusal }: ClickMessage): void {
  const isUnread = refusal?.status === 413 || refusal?.status === 415;
  if (value === undefined && isUnread) throw refusal;
}

function keyOf(body: unknown): string | undefined {
  const key = isObject(body) ? body['key'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

function readFields({ value, refusal }: ClickMessage, key: KeyPrincipal): ClickBody | AppError {
  if (refusal) return refusal;
  try {
    return readClick(value as object, { fromServer: !isOfBrowser(key) });
  } catch (error) {
    return asRefusal(error);
  }
}

/** The fields, unless the key may not record that click: by its mode, role or programme; a refusal is counted first. */
async function readManaged(
  ctx: ClickContext,
  message: ClickMessage,
  key: ManagementKeyPrincipal,
): Promise<ClickBody | AppError> {
  try {
    readMode(ctx, clickAuth, key);
    requireRole(clickAuth, key);
    const click = readFields(message, key);
    if (!(click instanceof AppError)) await requireOwnProgram(ctx, key, click);
    return click;
  } catch (error) {
    return asRefusal(error);
  }
}

function asRefusal(error: unknown): AppError {
  if (error instanceof AppError) return error;
  throw error;
}

function toVisit(ctx: ClickContext, key: KeyPrincipal, click: ClickBody): Visit {
  return {
    scope: { workspaceId: key.workspaceId, mode: key.mode },
    ref: click.ref,
    url: click.url ?? null,
    referrer: click.referrer ?? null,
    page: click.url || (isOfBrowser(key) ? (ctx.req.headers.origin ?? null) : null),
    visitorToken: click.visitor_token ?? null,
    ...visitorOf(ctx, key, click),
    now: ctx.now,
  };
}

/** The browser itself, or whom a server says it has before it: never that server. */
function visitorOf(
  ctx: ClickContext,
  key: KeyPrincipal,
  click: ClickBody,
): Pick<Visit, 'userAgent' | 'ip'> {
  return isOfBrowser(key)
    ? { userAgent: ctx.req.headers['user-agent'] || null, ip: ctx.clientIp }
    : { userAgent: click.user_agent || null, ip: click.ip || '' };
}

function setAndCheckLimit(ctx: ClickContext, { allowance }: Arrival): void {
  if (!allowance) return;
  if (allowance.exceeded) refuse(ctx, 'tracking', allowance);
  setLimitHeaders(ctx, allowance);
}
