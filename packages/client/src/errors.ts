/** One field that the API refuses: a dotted path, or `body`. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/**
 * What a call fails with where no answer of the API tells: nothing answered, or not in time; somebody
 * else did, with a page in place of an answer (UNEXPECTED_ANSWER), or an error without a code (UNKNOWN).
 */
export type ClientCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'UNEXPECTED_ANSWER' | 'UNKNOWN';

type Facts<Code extends string> = Pick<AffiliateError<Code>, 'status' | 'code'> &
  Partial<Pick<AffiliateError, 'details' | 'requestId' | 'retryAfter' | 'cause' | 'operation'>>;

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
  /** What was called, such as `conversions.report`. */
  readonly operation: string | null;
  /** As the header says it: seconds, or a time. */
  readonly retryAfter: string | null;

  constructor(message: string, facts: Facts<Code>) {
    super(message, 'cause' in facts ? { cause: facts.cause } : undefined);
    this.status = facts.status;
    this.code = facts.code;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId ?? null;
    this.operation = facts.operation ?? null;
    this.retryAfter = facts.retryAfter ?? null;
  }
}

/** Reads the API's error body; the page of a proxy has none. */
export async function errorOf(response: Response, operation?: string): Promise<AffiliateError> {
  const { status, headers } = response;
  const body = ((await response.json().catch(() => null)) ?? {}) as Partial<AffiliateError>;
  return new AffiliateError(body.message ?? `The server answered ${status}.`, {
    status,
    code: body.code ?? 'UNKNOWN',
    details: body.details ?? [],
    requestId: headers.get('x-request-id'),
    operation: operation ?? null,
    retryAfter: headers.get('retry-after'),
  });
}
