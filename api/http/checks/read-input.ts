import { AppError } from '../../../entities/errors';
import { isUuid } from '../../../entities/ids';
import type { Place } from '../../../entities/database/list';
import {
  checkContentType,
  hasBody,
  isStorable,
  readJsonBody,
  readRawBody,
} from '../contract/body/body';
import type {
  AnyContractSpec,
  ContractSpec,
  EndpointContext,
  ParamSpecs,
} from '../contract/contract';
import type { Auth } from '../contract/credential';
import { openCursor } from '../contract/cursor';
import type { RequestContext } from '../contract/request';
import { queryToInstance, refuseUnknown, toInstance } from '../contract/validate';

/** Content type, size, JSON, fields and the body as a whole; then the query. */
export async function readInput<P extends ParamSpecs, Q, B, A>(
  ctx: EndpointContext<P, Q, B, A>,
  spec: ContractSpec<P, Q, B, A>,
): Promise<void> {
  if (spec.rawType) checkContentType(ctx, [spec.rawType]);
  if (spec.raw) ctx.rawBody = await readRawBody(ctx, spec.raw);
  // What a repeat under the same Idempotency-Key is compared with.
  if (spec.rawType && ctx.method === 'POST') ctx.bodyAsSent = ctx.rawBody.toString('base64');
  const body = spec.raw ? undefined : await readBody(ctx, spec);
  const query = spec.query ? readQuery(ctx, spec.query) : {};
  const problems = spec.check?.(body as B) ?? [];
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems });
  // Whether what the path names exists is asked last of all.
  const params = {} as Record<keyof P, string>;
  ctx.input = { params, query: query as Q, body: body as B };
}

function readQuery<Q extends object>(ctx: RequestContext, type: new () => Q): Q {
  const query: Q & { cursor?: string; after?: Place } = queryToInstance(type, ctx.query);
  const { cursor } = query;
  if (cursor !== undefined) query.after = openCursor(ctx, { ...query, cursor });
  return query;
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

/** The body of an endpoint that takes none: `{}` is fine; a field is not, where unknown ones are refused. */
function expectNothing(plain: object, unknown: 'refuse' | 'ignore'): object {
  const fields = Object.keys(plain);
  if (unknown === 'refuse' && fields.length > 0) refuseUnknown(fields);
  return {};
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
export function readParams<P extends ParamSpecs>(ctx: RequestContext, specs: P | undefined) {
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
