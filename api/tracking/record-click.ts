import type { Context } from 'koa';
import type { Arrival, Visit } from '../../activities/clicks/record';
import type { KeyPrincipal } from '../../activities/credentials/principals';
import { AppError } from '../../entities/errors';
import { parseKey } from '../../entities/rules/values/mode';
import {
  bearerToken,
  limitWorkspace,
  refuse,
  refuseCredential,
  refuseGuesser,
  requireHttps,
  setLimitHeaders,
} from '../http/checks/authorize';
import type { EndpointContext } from '../http/contract/contract';
import { runIdempotent } from '../http/checks/idempotency';
import { isObject, readClick, readMessage, type ClickMessage } from './click-message';
import { presentAnswer, type ClickBody } from './clicks.dto';

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
  const key = authenticateKnown(ctx, message) ?? (await authenticate(ctx, message));
  limitWorkspace(ctx, 'tracking', key.workspaceId);
  ctx.principal = key;
  ctx.mode = key.mode;
  ctx.actor = { type: 'api_key', id: key.apiKeyId };
  const click = readFields(message);

  const visit = click instanceof AppError ? undefined : toVisit(ctx, key, click);
  // With an Idempotency-Key the click may be replayed: nothing is reserved before that is known.
  const isReplayable = ctx.req.headers['idempotency-key'] !== undefined;
  const arrival = await recorder.arrive(key.apiKeyId, isReplayable ? undefined : visit);
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

/** Most keys come again within the second: nothing has to be waited for then. */
function authenticateKnown(ctx: ClickContext, { value }: ClickMessage): KeyPrincipal | undefined {
  const hasHeader = ctx.req.headers.authorization !== undefined;
  const token = hasHeader ? bearerToken(ctx) : keyOf(value);
  return token === undefined
    ? undefined
    : ctx.services.credentials.keys.known({ key: token, kind: 'public' }, ctx.now);
}

/** The bearer when there is one, whatever it is; else the body's `key`. */
async function authenticate(ctx: ClickContext, message: ClickMessage): Promise<KeyPrincipal> {
  const hasHeader = ctx.req.headers.authorization !== undefined;
  // A body that could not be read may well have held a key: say what is wrong with it.
  if (!hasHeader) refuseUnread(message);

  const token = hasHeader ? bearerToken(ctx) : keyOf(message.value);
  const isPublic = token !== undefined && parseKey(token)?.kind === 'public';
  // A guess costs a look-up, so an address that keeps guessing is refused before it. A key that is
  // known passes: many visitors share an address, and one shop's old snippet must not cost others.
  const { keys } = ctx.services.credentials;
  if (!isPublic || !keys.has(token)) await refuseGuesser(ctx);
  const key = isPublic ? await keys.resolve({ key: token, kind: 'public' }, ctx.now) : undefined;
  if (!key) return refuseCredential(ctx, 'INVALID_PUBLIC_KEY');

  return key;
}

function refuseUnread({ value, refusal }: ClickMessage): void {
  if (value === undefined && refusal && isUnread(refusal)) throw refusal;
}

function isUnread({ status }: AppError): boolean {
  return status === 413 || status === 415;
}

function keyOf(body: unknown): string | undefined {
  const key = isObject(body) ? body['key'] : undefined;
  return typeof key === 'string' ? key : undefined;
}

function readFields({ value, refusal }: ClickMessage): ClickBody | AppError {
  if (refusal) return refusal;
  try {
    return readClick(value as object);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function toVisit(ctx: ClickContext, key: KeyPrincipal, click: ClickBody): Visit {
  return {
    scope: { workspaceId: key.workspaceId, mode: key.mode },
    ref: click.ref,
    url: click.url ?? null,
    referrer: click.referrer ?? null,
    visitorToken: click.visitor_token ?? null,
    userAgent: ctx.req.headers['user-agent'] || null,
    ip: ctx.clientIp,
    now: ctx.now,
  };
}

function setAndCheckLimit(ctx: ClickContext, { allowance }: Arrival): void {
  if (!allowance) return;
  if (allowance.exceeded) refuse(ctx, 'tracking', allowance);
  setLimitHeaders(ctx, allowance);
}
