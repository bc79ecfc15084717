import type { Context } from 'koa';
import type { Arrival, Visit } from '../../activities/clicks/record';
import type { KeyPrincipal } from '../../activities/credentials/principals';
import { AppError } from '../../entities/errors';
import { actorOf, limitWorkspace, requireHttps, showLimit } from '../http/checks/authorize';
import { runIdempotent } from '../http/checks/idempotency';
import { readMessage } from './click-message';
import { presentAnswer, type ClickBody } from './clicks.dto';
import { isOfBrowser, readFields, readKey, type ClickContext } from './read-click';

/**
 * POST /v1/clicks. It runs the checks of every endpoint, in their order, by itself: the key may be
 * in the body, and limit and repeat are looked up in one go.
 */
export async function recordClick(koaContext: Context): Promise<void> {
  const ctx = koaContext as ClickContext;
  const recorder = ctx.services.clicks;
  requireHttps(ctx, {});
  const message = await readMessage(ctx);
  const read = readKey(ctx, message);
  // Most keys come again within the second: nothing has to be waited for then.
  const key = read instanceof Promise ? await read : read;
  limitWorkspace(ctx, 'tracking', key.workspaceId);
  ctx.principal = key;
  ctx.mode = key.mode;
  ctx.actor = actorOf(key);
  const click = await readFields(ctx, message, key);
  const visit = click instanceof AppError ? undefined : toVisit(ctx, key, click);
  // A click with an Idempotency-Key may be a repeat: nothing is reserved before that is known.
  const isReplayable = ctx.req.headers['idempotency-key'] !== undefined;
  const sender = { apiKeyId: key.apiKeyId, visitorIp: isOfBrowser(key) ? ctx.clientIp : null };
  const arrival = await recorder.arrive(sender, isReplayable ? undefined : visit);
  showLimit(ctx, 'tracking', arrival.allowance);
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
