import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import inflate from 'inflation';
import type { Context } from 'koa';
import { HttpMethodEnum, koaBody } from 'koa-body';
import rawBody from 'raw-body';
import { AppError, validationError } from '../../../../entities/errors';
import type { RequestContext } from '../request';
import { pathOf } from '../field-path';
import { sizeOf } from './json-size';

export const maxBytes = 262_144;
export const maxProcessorBytes = 1_048_576;
const maxDepth = 32;
const maxCommas = 20_000;

/** Bytes are read as Latin-1, a character each: the parser would repair what is no UTF-8, and we refuse it. */
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
  const isLoose = looseFields.length > 0;
  // What is refused for its size is not parsed: that would keep the others waiting.
  if (!isLoose) checkSize(text);
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationError('body', 'must be a JSON object');
  }
  const body = value as Record<string, unknown>;
  if (isLoose || mayHideText.test(text)) {
    const checked = Object.entries(body).filter(([name]) => !looseFields.includes(name));
    checkTexts(Object.fromEntries(checked));
  }
  return body;
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

/** A body of more than so many bytes has a place of its own in memory, of which there are few. */
const mostWithoutPlace = 2 * maxProcessorBytes;

export function isUpload(limit: number): boolean {
  return limit > mostWithoutPlace;
}

/**
 * The bytes as they came, for signatures and files. Who sends a file slowly loses its place after the time in which
 * every request is answered, and the connection.
 */
export async function readRawBody(
  { req }: Pick<Context, 'req'>,
  limit: number,
  withinMs = 26_000,
): Promise<Buffer> {
  const late = isUpload(limit) ? setTimeout(() => req.destroy(), withinMs) : undefined;
  try {
    return await rawBody(req, { limit });
  } catch (error) {
    throw unread(req, error as Error);
  } finally {
    clearTimeout(late);
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

/** A text of JSON without these can be stored, for the bytes around them were found to be UTF-8. */
const mayHideText = /\\u|__proto__/;

function checkSize(json: string): void {
  const { commas, depth } = sizeOf(json);
  if (depth > maxDepth) throw tooDeep();
  if (commas > maxCommas) throw validationError('body', 'has too many values');
}

/** VALIDATION_ERROR for text that Postgres cannot store, and names that JavaScript mistrusts. */
function checkTexts(value: unknown, path = '', depth = 0): void {
  if (typeof value === 'string' && !isStorable(value)) {
    throw validationError(path, unstorable);
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth >= maxDepth) throw tooDeep();
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    checkName(name, path);
    checkTexts(item, pathOf(path, name), depth + 1);
  }
}

function checkName(name: string, path: string): void {
  if (name === '__proto__') throw validationError('body', 'has a field that cannot be read');
  if (!isStorable(name)) throw validationError(path || 'body', 'has a key that is no valid text');
}

function tooDeep(): AppError {
  return validationError('body', 'is nested too deeply');
}

export const unstorable = 'must not contain NUL or lone surrogates';

/** Postgres stores no NUL, and a lone surrogate has no UTF-8 form. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
