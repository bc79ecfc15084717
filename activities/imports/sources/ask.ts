import type { ImportSource } from '../../../entities/rules/imports/kinds';
import type { VendorAnswer, VendorHttp } from '../../../runtime/outbound/vendor-http';
import type { Config } from '../../../runtime/config/config';
import type { SourceAccess, SourceApi } from './source';

export type Asked =
  | { kind: 'answer'; body: unknown }
  /** No answer for now: the source is asked again. */
  | { kind: 'later'; retryAfter?: string | undefined; rateReset?: string | undefined }
  /** The key is good for nothing, or not for this. */
  | { kind: 'rejected' }
  | { kind: 'odd'; why: string };

export interface SourceStores {
  vendors: VendorHttp;
  config: Pick<Config, 'importBases'>;
}

/** Less than what a worker may be silent for. */
const timeoutMs = 20_000;

/** Asks a source by API, through the guard of outbound addresses. Why a question failed names nothing of the answer. */
export async function askSource(
  { vendors, config }: SourceStores,
  { source, api }: { source: Exclude<ImportSource, 'csv'>; api: SourceApi },
  { access, path }: { access: SourceAccess; path: string },
): Promise<Asked> {
  const base = config.importBases[source];
  const answer = await vendors.request({
    method: 'GET',
    url: `${(base ?? api.base).replace(/\/+$/, '')}${path}`,
    headers: { ...api.headers(access), accept: 'application/json' },
    timeoutMs,
    isOperators: base !== undefined,
  });
  return readAnswer(answer);
}

function readAnswer({ status, body, failure, retryAfter, rateReset }: VendorAnswer): Asked {
  if (status === null) return { kind: 'later' };
  if (status === 401 || status === 403) return { kind: 'rejected' };
  if (isForLater(status)) return { kind: 'later', retryAfter, rateReset };
  if (status < 200 || status > 299) return { kind: 'odd', why: `it answers ${status}` };
  return failure === null && body !== null ? readBody(body) : { kind: 'later' };
}

function isForLater(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

function readBody(body: string): Asked {
  try {
    return { kind: 'answer', body: JSON.parse(body) as unknown };
  } catch {
    return { kind: 'odd', why: 'it answers no JSON' };
  }
}
