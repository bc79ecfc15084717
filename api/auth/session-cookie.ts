import { AppError, validationError } from '../../entities/errors';
import { lifetimes, type Side } from '../../entities/rules/accounts/accounts';
import type { Config } from '../../runtime/config/config';
import type { RequestContext } from '../http/contract/request';

/** How a client wants its refresh token: in a cookie that no script can read, or in the body. */
export interface SessionChoice {
  inCookie: boolean;
}

/** A refresh token, and where it came from: the answer goes the same way. */
export interface GivenToken extends SessionChoice {
  refreshToken: string;
}

/** The header `X-Session`, for the contracts of the endpoints that read it. */
export const sessionHeader = {
  'X-Session': {
    description:
      'With `cookie` the refresh token is in a cookie (HttpOnly, SameSite=Strict) and in no body.',
    schema: { type: 'string', enum: ['cookie'] },
  },
};

/** A contract's `prepare`: what `X-Session` asks for. VALIDATION_ERROR for a value that is none. */
export function readChoice(ctx: RequestContext): Promise<SessionChoice> {
  return Promise.resolve(choiceOf(ctx));
}

function choiceOf(ctx: RequestContext): SessionChoice {
  const asked = ctx.get('x-session');
  if (asked !== '' && asked !== 'cookie') throw validationError('X-Session', 'must be cookie');
  return { inCookie: asked === 'cookie' };
}

/**
 * The refresh token of a request, from its body or, when it asks for that, from its cookie: nothing
 * else reads a cookie. A browser sends cookies wherever a request comes from, so one that comes from
 * another site is refused. Without a cookie the token is empty, which is no token of ours.
 * ORIGIN_NOT_ALLOWED, VALIDATION_ERROR.
 */
export async function readRefreshToken(
  ctx: RequestContext,
  { side, refreshToken }: { side: Side; refreshToken?: string },
): Promise<GivenToken> {
  const { inCookie } = choiceOf(ctx);
  if (!inCookie) {
    if (refreshToken === undefined) throw validationError('refreshToken', 'must be text');
    return { inCookie, refreshToken };
  }
  refuseForeignOrigin(ctx);
  if (refreshToken !== undefined) {
    throw validationError('refreshToken', 'must be absent: with X-Session it is in the cookie');
  }
  return { inCookie, refreshToken: ctx.cookies.get(cookieOf(ctx, side).name) ?? '' };
}

/** Puts a refresh token into the cookie of its side, for as long as the token lives. */
export function setSessionCookie(ctx: RequestContext, side: Side, refreshToken: string): void {
  writeCookie(ctx, side, { value: refreshToken, maxAge: lifetimes.refreshToken });
}

/** Takes the cookie away from the browser. */
export function clearSessionCookie(ctx: RequestContext, side: Side): void {
  writeCookie(ctx, side, { value: '', maxAge: 0 });
}

function writeCookie(
  ctx: RequestContext,
  side: Side,
  { value, maxAge }: { value: string; maxAge: number },
): void {
  const { name, secure } = cookieOf(ctx, side);
  // Behind a proxy the library sees plain http; the request's own scheme is known here.
  ctx.cookies.secure = secure;
  ctx.cookies.set(name, value, {
    httpOnly: true,
    secure,
    sameSite: 'strict',
    path: '/',
    maxAge,
  });
}

/** Browsers refuse the prefix and Secure on plain http, which is the local stack's. */
function cookieOf(
  { services, req }: RequestContext,
  side: Side,
): { name: string; secure: boolean } {
  const secure = services.addressOf(req).scheme === 'https';
  return { name: `${secure ? '__Host-' : ''}aps_${side}`, secure };
}

/** A browser names the origin of every POST; a client that is none may leave it out. */
function refuseForeignOrigin({ req, deps: { config } }: RequestContext): void {
  const { origin } = req.headers;
  if (origin === undefined || ownOrigins(config).includes(origin)) return;
  throw new AppError('ORIGIN_NOT_ALLOWED');
}

function ownOrigins({ publicBaseUrl, dashboardUrl }: Config): string[] {
  return [publicBaseUrl, dashboardUrl].map((url) => new URL(url).origin);
}
