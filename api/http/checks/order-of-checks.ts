import type { Scope } from '../../../entities/rules/values/mode';
import {
  actorOf,
  admitKnownKey,
  asVisitor,
  limitAddress,
  limitPrincipal,
  readMode,
  requireHttps,
  requireRole,
  resolvePrincipal,
} from './authorize';
import type { Context, Middleware } from 'koa';
import { AppError } from '../../../entities/errors';
import type {
  AnyContractSpec,
  ContractSpec,
  EndpointContext,
  Handler,
  ParamSpecs,
} from '../contract/contract';
import { declaredCodes } from '../contract/declared-codes';
import type { Auth } from '../contract/credential';
import { checkContentType, isUpload } from '../contract/body/body';
import { runIdempotent } from './idempotency';
import { callerOf, databaseOf } from './places';
import { adoptInTest } from './own-in-test';
import { readInput, readParams } from './read-input';
import type { RequestContext } from '../contract/request';
import type { Route } from '../contract/route';
import { requireProgram } from './require-program';

/**
 * The order of checks of a request, on which clients rely: HTTPS, address limit, credential, account
 * limit, mode, role, content type, size, JSON and fields, Idempotency-Key, the path's ids; then the
 * handler. A click has the same ones in `api/tracking/record-click.ts`: its key may be in its body.
 */
async function answerInOrder<P extends ParamSpecs, Q, B, A, R>(
  ctx: EndpointContext<P, Q, B, A>,
  spec: ContractSpec<P, Q, B, A, R>,
  handler: Handler<P, Q, B, A, R>,
): Promise<void> {
  requireHttps(ctx, spec);
  await authorize(ctx, spec.auth);
  const answer = () => answerRead(ctx, spec, handler);
  if (!isUpload(spec.raw ?? 0)) return answer();
  if (spec.rawType) checkContentType(ctx, [spec.rawType]);
  await ctx.services.uploads.run(callerOf(ctx, spec.auth), answer);
}

/** The checks from the body on, and the answer. */
async function answerRead<P extends ParamSpecs, Q, B, A, R>(
  ctx: EndpointContext<P, Q, B, A>,
  spec: ContractSpec<P, Q, B, A, R>,
  handler: Handler<P, Q, B, A, R>,
): Promise<void> {
  await readInput(ctx, spec);
  ctx.db = databaseOf(ctx.deps.db, ctx.services.places, callerOf(ctx, spec.auth));
  await adoptInTest(ctx);
  if (spec.noStore) ctx.set('Cache-Control', 'no-store');
  let prepared = undefined as R;
  await runIdempotent(ctx, spec.idempotency ?? 'transaction', {
    prepare: async () => {
      ctx.input.params = readParams(ctx, spec.params);
      await requireProgram(ctx, spec);
      if (spec.prepare) prepared = await spec.prepare(ctx);
    },
    handler: async () => handler(ctx, prepared),
  });
}

/** The checks from the address to the role. */
async function authorize(request: RequestContext, auth: Auth<unknown>): Promise<void> {
  const known = await admitKnownKey(request, auth);
  if (!known) await limitAddress(request, auth);
  if (auth.kind === 'open') return asVisitor(request);

  const principal = known ?? (await resolvePrincipal(request, auth));
  request.principal = principal;
  if (!known) await limitPrincipal(request, auth, principal);
  request.mode = readMode(request, auth, principal);
  request.scope =
    'workspaceId' in principal
      ? ({ workspaceId: principal.workspaceId, mode: request.mode } satisfies Scope)
      : undefined;
  request.actor = actorOf(principal);
  requireRole(auth, principal);
}

/** What answers the requests of an endpoint. */
export function runnerOf({ spec, handler }: Pick<Route, 'spec' | 'handler'>): Middleware {
  return async (koaContext) => {
    const ctx = koaContext as EndpointContext<ParamSpecs, object, object, unknown>;
    if (spec.checksItself) return handler(ctx, undefined);
    const answered = answerInOrder(ctx, spec, handler);
    if (!ctx.deps.config.checkContracts) return answered;
    await answered.catch((error: unknown) => {
      throw isDeclared(ctx, spec, error) ? error : undeclared(error);
    });
    assertStatusDeclared(ctx, spec);
  };
}

/** Checked in tests only: a refusal whose code the document does not list is a failure, not a surprise. */
function isDeclared({ method }: Context, spec: AnyContractSpec, error: unknown): boolean {
  return (
    !(error instanceof AppError) || declaredCodes(method.toLowerCase(), spec).includes(error.code)
  );
}

function undeclared(error: unknown): Error {
  const { code } = error as AppError;
  return new Error(`the contract does not declare the code ${code}`, { cause: error });
}

/** Checked in tests only: an answer that the document does not list is a failure, not a surprise. */
function assertStatusDeclared(ctx: Context, { responses }: AnyContractSpec): void {
  if (ctx.status in responses || ctx.status === 304 || ctx.status >= 400) return;
  throw new Error(`the contract does not declare status ${ctx.status}`);
}
