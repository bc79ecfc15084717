/** One field that the API refuses: a dotted path, or `body`. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** What a call fails with where no answer of the API tells: nothing answered, or not in time. */
export type ClientCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'UNKNOWN';

type Facts<Code extends string> = Pick<AffiliateError<Code>, 'status' | 'code'> &
  Partial<Pick<AffiliateError, 'details' | 'requestId' | 'retryAfter' | 'cause'>>;

/**
 * The refusal of a call. `status` is 0 and `code` NETWORK_ERROR or TIMEOUT when nothing answered;
 * match on `code`, not on `message`. `requestId` names the request in the logs of the service.
 */
export class AffiliateError<Code extends string = string> extends Error {
  override readonly name = 'AffiliateError';
  readonly status: number;
  readonly code: Code;
  readonly details: ErrorDetail[];
  readonly requestId: string | null;
  /** Of 429 and 503, as the header says it: seconds, or a time. */
  readonly retryAfter: string | null;

  constructor(message: string, facts: Facts<Code>) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
  }
}

/** Reads the API's error body; the page of a proxy has none. */
export async function errorOf(response: Response): Promise<AffiliateError> {
  const { status, headers } = response;
  const body = (await response.json().catch(() => ({}))) as Partial<AffiliateError>;
  return new AffiliateError(body.message ?? `The server answered ${status}.`, {
    status,
    code: body.code ?? 'UNKNOWN',
    details: body.details ?? [],
    requestId: headers.get('x-request-id'),
    retryAfter: headers.get('retry-after'),
  });
}
