import { koaBody, HttpMethodEnum } from 'koa-body';
import type { Context } from 'koa';
import rawBody from 'raw-body';
import { AppError, validationError } from '../../entities/errors';

export const maxBytes = 262_144;
export const maxProcessorBytes = 1_048_576;
const maxDepth = 32;

const parse = koaBody({
  json: true,
  text: true,
  urlencoded: false,
  multipart: false,
  jsonStrict: false,
  jsonLimit: maxBytes,
  textLimit: maxBytes,
  parsedMethods: [
    HttpMethodEnum.POST,
    HttpMethodEnum.PUT,
    HttpMethodEnum.PATCH,
    HttpMethodEnum.DELETE,
  ],
  onError: (error) => {
    throw bodyError(error);
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
  ctx: Context,
  looseFields: readonly string[] = [],
): Promise<Record<string, unknown>> {
  await parse(ctx as never, () => Promise.resolve());
  const parsed: unknown = (ctx.request as { body?: unknown }).body;
  const value = typeof parsed === 'string' && ctx.is('text/*') ? parseJson(parsed) : parsed;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw validationError('body', 'must be a JSON object');
  }
  checkTexts(value as Record<string, unknown>, looseFields);
  return value as Record<string, unknown>;
}

/** The bytes as they came, for signatures. */
export async function readRawBody(ctx: Context, limit: number): Promise<Buffer> {
  try {
    return await rawBody(ctx.req, { limit });
  } catch (error) {
    throw bodyError(error as Error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw validationError('body', 'is not valid JSON');
  }
}

/** What a failure of reading a body means to its sender. */
export function bodyError(error: Error & { status?: number; type?: string }): AppError {
  if (error.status === 413) return new AppError('PAYLOAD_TOO_LARGE');
  if (error.status === 415) return new AppError('UNSUPPORTED_MEDIA_TYPE');
  return validationError('body', 'is not valid JSON, or its encoding is broken');
}

/** Walks without recursion: a deep body must not cost the stack. */
function checkTexts(body: Record<string, unknown>, looseFields: readonly string[]): void {
  const queue: { value: unknown; path: string; depth: number }[] = [
    { value: body, path: '', depth: 0 },
  ];
  for (let item = queue.pop(); item; item = queue.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string' && !isStorable(value)) {
      throw validationError(path, 'must not contain NUL or lone surrogates');
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth >= maxDepth) throw validationError('body', 'is nested too deeply');
    for (const [key, child] of Object.entries(value)) {
      const childPath = joinPath(path, key, Array.isArray(value));
      if (looseFields.includes(childPath)) continue;
      if (!isStorable(key))
        throw validationError(path || 'body', 'has a key that is no valid text');
      queue.push({ value: child, path: childPath, depth: depth + 1 });
    }
  }
}

function joinPath(path: string, key: string, inList: boolean): string {
  if (inList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Postgres stores no NUL, and a lone surrogate has no UTF-8 form. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}
