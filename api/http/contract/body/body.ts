import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import inflate from 'inflation';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import rawBody from 'raw-body';
import { AppError, validationError } from '../../../../entities/errors';
import type { RequestContext } from '../request';
import { isWiderThan } from './json-width';

export const maxBytes = 262_144;
export const maxProcessorBytes = 1_048_576;
const maxDepth = 32;
const mostValues = 20_000;

/** As Latin-1, one character a byte: the parser would repair what is no UTF-8, and we refuse it. */
const parse = koaBody({
  json: false,
  text: true,
  textTypes: ['*/*'],
  urlencoded: false,
  multipart: false,
  encoding: 'latin1',
  textLimit: maxBytes,
  parsedMethods: [
    HttpMethodEnum.POST,
    HttpMethodEnum.PUT,
    HttpMethodEnum.PATCH,
    HttpMethodEnum.DELETE,
  ],
  onError: (error, ctx) => {
    throw unread(ctx.req, error);
  },
});

export function hasBody(ctx: Context): boolean {
  const { headers } = ctx.req;
  if (headers['transfer-encoding'] !== undefined) return true;
  return headers['content-length'] !== undefined && Number(headers['content-length']) !== 0;
}

/** 415 before anything of the body is read. */
export function checkContentType(ctx: Context, accepted: readonly string[]): void {
  if (!hasBody(ctx)) return;
  const type = (ctx.get('content-type').split(';')[0] ?? '').trim().toLowerCase();
  if (!accepted.includes(type)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
      message: `Send the body as ${accepted.join(' or ')}.`,
    });
  }
}

/**
 * Reads a JSON object of bounded size and depth. Texts that Postgres cannot store (NUL, lone
 * surrogates) are refused, save in the fields named by `looseFields`.
 */
export async function readJsonBody(
  ctx: Pick<RequestContext, 'readText'>,
  looseFields: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const text = await ctx.readText();
  // What is refused for its width is not parsed: that would keep the others waiting.
  if (looseFields.length === 0 && isWiderThan(text, mostValues)) throw tooManyValues();
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationError('body', 'must be a JSON object');
  }
  checkTexts(value as Record<string, unknown>, looseFields);
  return value as Record<string, unknown>;
}

/** How Koa's contexts read a body. */
export async function readParsed(ctx: Context): Promise<string> {
  await parse(ctx as never, () => Promise.resolve());
  const { body } = ctx.request as { body?: unknown };
  return decode(Buffer.from(typeof body === 'string' ? body : '', 'latin1'));
}

/** The body of any content type as text, unpacked. */
export async function readText({ req }: Pick<Context, 'req'>): Promise<string> {
  const isCompressed = (req.headers['content-encoding'] ?? 'identity') !== 'identity';
  try {
    const bytes = await rawBody(isCompressed ? inflate(req) : req, {
      limit: maxBytes,
      length: isCompressed ? null : (req.headers['content-length'] ?? null),
    });
    return decode(bytes);
  } catch (error) {
    throw unread(req, error as Error);
  }
}

/** VALIDATION_ERROR for what is no UTF-8. */
export function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw bodyError(new Error('the body is no UTF-8'));
  return bytes.toString('utf8');
}

/** The bytes as they came, for signatures. */
export async function readRawBody(ctx: Context, limit: number): Promise<Buffer> {
  try {
    return await rawBody(ctx.req, { limit });
  } catch (error) {
    throw unread(ctx.req, error as Error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('body', 'is not valid JSON');
  }
}

/**
 * What was left of a body stands before the next request of its connection: it is dropped as it
 * comes, so that the sender gets to read the answer, and the connection ends with that.
 */
function unread(req: IncomingMessage, failure: Error): AppError {
  const error = bodyError(failure);
  if (req.complete) return error;
  req.unpipe();
  req.resume();
  const { code, details, message } = error;
  const headers = { ...error.headers, Connection: 'close' };
  return new AppError(code, { message, headers, ...(details && { details }) });
}

/** What a failure of reading a body means to its sender. */
export function bodyError(error: Error & { status?: number; type?: string }): AppError {
  if (error instanceof AppError) return error;
  if (error.status === 413) return new AppError('PAYLOAD_TOO_LARGE');
  if (error.status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE');
  return validationError('body', 'is not valid JSON in UTF-8, or its encoding is broken');
}

/** Whether a value is nested deeper than any body may be. Walks without recursion. */
export function isTooDeep(value: unknown): boolean {
  const queue = [{ value, depth: 0 }];
  for (let item = queue.pop(); item; item = queue.pop()) {
    if (typeof item.value !== 'object' || item.value === null) continue;
    if (item.depth >= maxDepth) return true;
    for (const child of Object.values(item.value))
      queue.push({ value: child, depth: item.depth + 1 });
  }
  return false;
}

interface Place {
  value: unknown;
  parent: Place | undefined;
  /** Name of a field, or index in a list. */
  key: string | number;
  depth: number;
}

/**
 * Walks without recursion: a deep body must not cost the stack. Nor may a wide one cost much: no
 * list of any endpoint has that many values, and paths are only written out for a refusal.
 */
function checkTexts(body: Record<string, unknown>, looseFields: readonly string[]): void {
  const queue: Place[] = [{ value: body, parent: undefined, key: '', depth: 0 }];
  let count = 0;
  for (let place = queue.pop(); place; place = queue.pop()) {
    const { value, depth } = place;
    if (typeof value === 'string' && !isStorable(value)) {
      throw validationError(pathOf(place), 'must not contain NUL or lone surrogates');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxDepth) throw validationError('body', 'is nested too deeply');
    const children = childrenOf(place, looseFields);
    count += children.length;
    if (count > mostValues) throw tooManyValues();
    queue.push(...children);
  }
}

function tooManyValues(): AppError {
  return validationError('body', 'has too many values');
}

function childrenOf(place: Place, looseFields: readonly string[]): Place[] {
  const { value, depth } = place;
  const child = (key: string | number, of: unknown): Place => ({
    value: of,
    parent: place,
    key,
    depth: depth + 1,
  });
  if (Array.isArray(value)) {
    if (value.length > mostValues) throw tooManyValues();
    return value.map((item, index) => child(index, item));
  }
  return Object.entries(value as object).flatMap(([key, of]: [string, unknown]) => {
    // A name that JavaScript mistrusts.
    if (key === '__proto__') throw validationError('body', 'has a field that cannot be read');
    if (depth === 0 && looseFields.includes(key)) return [];
    if (!isStorable(key))
      throw validationError(pathOf(place) || 'body', 'has a key that is no valid text');
    return [child(key, of)];
  });
}

function pathOf({ parent, key }: Place): string {
  if (!parent) return '';
  const path = pathOf(parent);
  if (typeof key === 'number') return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Postgres stores no NUL, and a lone surrogate has no UTF-8 form. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
