import type { CallOptions } from './calls.ts';
import { version } from './generated/version.ts';
import type { ClientOptions } from './options.ts';

export type Input = Record<string, unknown>;

/** An operation as the table writes it: `POST /path/{id} ?fields,of,the,query #media/type =answers @size`. */
export interface Operation {
  /** As it is called, such as `conversions.report`. */
  name?: string;
  method: string;
  /** Its answer is handed on as it comes. */
  isStream: boolean;
  path: string;
  query: string[];
  type: string;
  /** A body must be there, be it an empty one. */
  needsBody?: boolean;
  /** The field that says how many rows a page has. */
  size?: string;
  /** The media types that are a success; without them any is. */
  answers?: string[];
}

export function readOperation(name: string, line: string): Operation {
  const [verb = '', path = '', ...marks] = line.split(' ');
  const marked = (mark: string) => marks.find((text) => text[0] === mark)?.slice(1);
  return {
    name,
    method: verb.replace(/\W/, ''),
    isStream: verb.endsWith('~'),
    path,
    query: marked('?')?.split(',') ?? [],
    type: marked('#') || 'application/json',
    needsBody: marked('#') === '',
    size: marked('@') ?? 'limit',
    answers: marked('=')?.split(',') ?? ['application/json'],
  };
}

export type Settings = ClientOptions & CallOptions;
export type Sending = Omit<RequestInit, 'headers'> & {
  url: string;
  headers: Record<string, string>;
};

/** What a call sends, but for its credential. Throws TypeError for a field of the path that is missing. */
export function requestOf(settings: Settings, operation: Operation, input: Input): Sending {
  const { method, type } = operation;
  const rest = { ...input };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest[name];
    if (value === undefined || value === '') throw new TypeError(`${name} is missing`);
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const query = takeQuery(operation, rest);
  const body = bodyOf(operation, rest);
  const own = {
    ...(isPage() ? {} : { 'User-Agent': `affiliate-programme-client/${version}` }),
    ...(body !== undefined && { 'Content-Type': type }),
    ...(method === 'POST' && { 'Idempotency-Key': settings.idempotencyKey ?? randomKey() }),
  };
  const headers = { ...without(own, settings.headers), ...settings.headers };
  checkHeaders(headers);
  const url = settings.baseUrl.replace(/\/+$/, '') + path + query;
  return { url, method, headers, ...(body !== undefined && { body }) };
}

/** The fields of the query, which are taken out of the rest. */
function takeQuery({ method, query }: Operation, rest: Input): string {
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) {
    if (method !== 'GET' && !query.includes(name)) continue;
    delete rest[name];
    const values = [value].flat().filter((one) => one !== undefined && one !== null);
    for (const one of values) found.append(name, String(one));
  }
  return found.size > 0 ? `?${found.toString()}` : '';
}

/** What no request could carry is told as what it is, not as a network that fails. */
function checkHeaders(headers: Record<string, string>): void {
  try {
    new Headers(headers);
  } catch (cause) {
    throw new TypeError('A header has a name or value that cannot be sent.', { cause });
  }
}

/** A caller's header takes the place of ours, in whatever case it is written. */
function without(own: Record<string, string>, given: Record<string, string> = {}) {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(own).filter(([name]) => !names.has(name.toLowerCase())));
}

function bodyOf({ type, needsBody }: Operation, rest: Input): string | undefined {
  if (type !== 'application/json') return rest['body'] as string;
  return Object.keys(rest).length > 0 || needsBody ? JSON.stringify(rest) : undefined;
}

/** There the browser says who it is: another name would cost a preflight. */
const isPage = (): boolean => 'document' in globalThis || 'importScripts' in globalThis;

/** Browsers have randomUUID on https only. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
