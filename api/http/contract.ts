import type { Context, Middleware } from 'koa';
import { AppError, type ErrorCode, type FieldProblem } from '../../entities/errors';
import { isUuid } from '../../entities/ids';
import type { Scope } from '../../entities/rules/values/mode';
import type { Auth } from './credential';
import { checkContentType, hasBody, isStorable, readJsonBody, readRawBody } from './body';
import { mostProblems, tooManyUnknown, unknownField } from './body-bounds';
import { authorize } from './authorize';
import { declaredCodes } from './declared-codes';
import { placeOwner } from './places';
import { runIdempotent } from './idempotency';
import type { RequestContext } from './request';
import { queryToInstance, toInstance } from './validate';

export interface ResponseSpec {
  /** DTO class of the JSON body; absent for an empty body. */
  type?: new () => object;
  /** Content type when it is no JSON, such as text/csv. */
  contentType?: string;
  description?: string;
  example?: unknown;
}

/** A path parameter that is no UUID: free text, refused with this code when it cannot be stored. */
export interface TextParam {
  text: ErrorCode;
}

type ParamSpecs = Record<string, ErrorCode | TextParam>;
type NoFields = Record<never, never>;

export interface ContractSpec<P extends ParamSpecs, Q, B, A> {
  summary: string;
  /** Group of the OpenAPI document. */
  tag: string;
  description?: string;
  auth: Auth<A>;
  /** Path parameters: the code of the 404 for a malformed UUID, or `{ text: code }`. */
  params?: P;
  query?: new () => Q & object;
  body?: new () => B & object;
  /** Problems of the body as a whole, looked for once each field is right by itself. */
  check?: (body: NoInfer<B>) => FieldProblem[];
  /** The body may be absent, which is read as `{}`: of fields that are required, their refusal. */
  bodyOptional?: boolean;
  /** Accepted content types; JSON unless given. */
  contentTypes?: readonly string[];
  /**
   * Fields with a code of their own in place of VALIDATION_ERROR, in the order in which they are
   * looked at: the first that is wrong is answered.
   */
  fieldCodes?: readonly (readonly [field: string, code: ErrorCode])[];
  /** Fields that may hold text that cannot be stored as it is. */
  looseFields?: readonly string[];
  /** The handler wants the bytes (signatures): `ctx.rawBody`, up to this many, of any content type. */
  raw?: number;
  /** The bytes are JSON that must be there; for the document. */
  rawJson?: boolean;
  responses: Record<number, ResponseSpec>;
  /** The endpoint's own codes; those of the credential, limits and validation are added. */
  errors?: readonly ErrorCode[];
  /**
   * How Idempotency-Key works on this POST. `transaction` (default): the handler's work and the
   * stored answer commit together. `claimed`: for handlers that talk to the network. `none`: the
   * answer is too large to be stored.
   */
  idempotency?: 'transaction' | 'claimed' | 'none';
  /** What must happen outside the transaction and before the handler: checks over the network. */
  prepare?: (ctx: EndpointContext<P, Q, B, A>) => Promise<void>;
  /** The answer carries a token, key or secret. */
  noStore?: boolean;
  /**
   * The handler shares its commits with others or has bounds of its own: it needs no place at the
   * database, save with an Idempotency-Key.
   */
  ownBounds?: boolean;
  /** Answered over plain http even where HTTPS is required. */
  httpAllowed?: boolean;
  deprecated?: boolean;
}

/** What a handler works with: a request that its contract has checked. */
export interface EndpointContext<P extends ParamSpecs, Q, B, A> extends RequestContext {
  input: { params: Record<keyof P, string>; query: Q; body: B };
  principal: A;
  /** Workspace and mode of the credential; undefined for partners and open endpoints. */
  scope: A extends { workspaceId: string } ? Scope : undefined;
}

export type AnyContractSpec = ContractSpec<ParamSpecs, object, object, unknown>;

/** A contract with what answers by it. */
export interface Endpoint {
  spec: AnyContractSpec;
  run: Middleware;
}

/**
 * One endpoint: what it takes, what it may answer, and its handler. Runs the checks in the order
 * that clients rely on: HTTPS, address limit, credential, account limit, mode, role, content type,
 * size, JSON and fields, Idempotency-Key; then the handler.
 */
export function contract<
  P extends ParamSpecs = NoFields,
  Q = NoFields,
  B = NoFields,
  A = undefined,
>(
  spec: ContractSpec<P, Q, B, A>,
  handler: (ctx: EndpointContext<P, Q, B, A>) => Promise<void> | void,
): Endpoint {
  const answer = async (ctx: EndpointContext<P, Q, B, A>): Promise<void> => {
    await authorize(ctx, spec);
    await readInput(ctx, spec);
    ctx.db = ctx.deps.db.manager;
    if (spec.noStore) ctx.set('Cache-Control', 'no-store');
    const owner = needsPlace(ctx, spec) ? placeOwner(ctx, spec.auth) : undefined;
    await runIdempotent(ctx, spec.idempotency ?? 'transaction', {
      ...(owner === undefined ? {} : { inPlace: (work) => ctx.services.places.run(owner, work) }),
      prepare: async () => {
        ctx.input.params = readParams(ctx, spec.params);
        await spec.prepare?.(ctx);
      },
      handler: async () => handler(ctx),
    });
  };
  return documented(spec, async (koaContext) => {
    const ctx = koaContext as EndpointContext<P, Q, B, A>;
    if (!ctx.deps.config.checkContracts) return answer(ctx);
    await answer(ctx).catch((error: unknown) => {
      throw isDeclared(ctx, spec, error) ? error : undeclared(error);
    });
    assertStatusDeclared(ctx, spec.responses);
  });
}

function needsPlace(ctx: Context, { ownBounds }: { ownBounds?: boolean }): boolean {
  return ownBounds !== true || ctx.req.headers['idempotency-key'] !== undefined;
}

/** Types of input and credential do not matter to readers of a contract. */
function anySpec<P extends ParamSpecs, Q, B, A>(spec: ContractSpec<P, Q, B, A>): AnyContractSpec {
  return spec as unknown as AnyContractSpec;
}

/** For an endpoint that runs the checks by itself: it is in the OpenAPI document all the same. */
export function documented<P extends ParamSpecs, Q, B, A>(
  spec: ContractSpec<P, Q, B, A>,
  run: Middleware,
): Endpoint {
  return { spec: anySpec(spec), run };
}

async function readInput<P extends ParamSpecs, Q, B, A>(
  ctx: EndpointContext<P, Q, B, A>,
  spec: ContractSpec<P, Q, B, A>,
): Promise<void> {
  if (spec.raw) ctx.rawBody = await readRawBody(ctx, spec.raw);
  const body = spec.raw ? undefined : await readBody(ctx, spec);
  const query = spec.query ? queryToInstance(spec.query, ctx.query) : {};
  const problems = spec.check?.(body as B) ?? [];
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems });
  // Whether what the path names exists is asked last of all.
  const params = {} as Record<keyof P, string>;
  ctx.input = { params, query: query as Q, body: body as B };
}

async function readBody<P extends ParamSpecs, Q, B, A>(
  ctx: EndpointContext<P, Q, B, A>,
  spec: ContractSpec<P, Q, B, A>,
): Promise<unknown> {
  if (isBodiless(ctx.method, spec.body !== undefined)) return {};
  checkContentType(ctx, spec.contentTypes ?? ['application/json']);
  const optional = !spec.body || spec.bodyOptional;
  const plain = optional && !hasBody(ctx) ? {} : await readJsonBody(ctx, spec.looseFields);
  ctx.bodyAsSent = plain;
  const unknown = isDashboard(spec.auth) ? 'refuse' : 'ignore';
  const { body } = spec;
  if (!body) return expectNothing(plain, unknown);
  return withFieldCodes(spec.fieldCodes, () => toInstance(body, plain, { unknown }));
}

function isBodiless(method: string, declaresBody: boolean): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'DELETE' && !declaresBody);
}

function withFieldCodes<T>(codes: AnyContractSpec['fieldCodes'], read: () => T): T {
  try {
    return read();
  } catch (error) {
    const wrong = error instanceof AppError ? error.details?.map(({ field }) => field) : undefined;
    const first = codes?.find(([field]) => wrong?.includes(field));
    throw first ? new AppError(first[1]) : error;
  }
}

/** For endpoints without a body: `{}` is fine; a field is not, where unknown ones are refused. */
function expectNothing(plain: object, unknown: 'refuse' | 'ignore'): object {
  const fields = unknown === 'refuse' ? Object.keys(plain) : [];
  if (fields.length === 0) return {};
  const isMany = fields.length > mostProblems;
  const details = isMany ? [tooManyUnknown] : fields.map(unknownField);
  throw new AppError('VALIDATION_ERROR', { details });
}

/** Dashboard endpoints and those that lead to a dashboard refuse unknown fields. */
function isDashboard({ kind, addressZone }: Auth<unknown>): boolean {
  return kind === 'merchant' || kind === 'partner' || addressZone === 'auth';
}

/** No row has this id. */
const unusedId = '00000000-0000-0000-0000-000000000000';

/**
 * A malformed UUID is simply a resource that does not exist. Below a parent it is so only once the
 * parent was looked at, which may be another workspace's: the handler is given an id of no row.
 */
function readParams<P extends ParamSpecs>(ctx: RequestContext, specs: P | undefined) {
  const given = ctx['params'] as Record<string, string>;
  const params: Record<string, string> = {};
  for (const [name, spec] of Object.entries(specs ?? {})) {
    const value = given[name] ?? '';
    const hasParent = Object.keys(params).length > 0;
    const read = typeof spec === 'string' ? readId(value) : readText(value);
    if (read === undefined && !hasParent) {
      throw new AppError(typeof spec === 'string' ? spec : spec.text);
    }
    params[name] = read ?? (typeof spec === 'string' ? unusedId : '');
  }
  return params as Record<keyof P, string>;
}

function readId(value: string): string | undefined {
  return isUuid(value) ? value.toLowerCase() : undefined;
}

function readText(value: string): string | undefined {
  return isStorable(value) ? value : undefined;
}

/** In tests only: a refusal whose code the document does not list is a failure, not a surprise. */
function isDeclared<P extends ParamSpecs, Q, B, A>(
  { method }: Context,
  spec: ContractSpec<P, Q, B, A>,
  error: unknown,
): boolean {
  if (!(error instanceof AppError)) return true;
  const declared = declaredCodes(method.toLowerCase(), anySpec(spec));
  return declared.includes(error.code);
}

function undeclared(error: unknown): Error {
  const { code } = error as AppError;
  return new Error(`the contract does not declare the code ${code}`, { cause: error });
}

/** In tests only: an answer that the document does not list is a failure, not a surprise. */
function assertStatusDeclared(ctx: Context, responses: Record<number, ResponseSpec>): void {
  if (ctx.status in responses || ctx.status === 304 || ctx.status >= 400) return;
  throw new Error(`the contract does not declare status ${ctx.status}`);
}
