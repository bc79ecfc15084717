/** One field that the API refuses: a dotted path, or `body`. */
export interface ErrorDetail {
  field: string;
  message: string;
}

/** What a call fails with where no answer of the API tells: nothing answered, or not in time. */
export type ClientCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'UNKNOWN';

interface Facts<Code> {
  status: number;
  code: Code;
  details?: ErrorDetail[] | undefined;
  requestId?: string | null;
  cause?: unknown;
}

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

  constructor(message: string, { status, code, details, requestId, cause }: Facts<Code>) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.details = details ?? [];
    this.requestId = requestId ?? null;
  }
}

interface Envelope {
  message?: string;
  code?: string;
  details?: ErrorDetail[];
}

/** Reads the API's error body; the page of a proxy has none. */
export async function errorOf(response: Response): Promise<AffiliateError> {
  const body = (await response.json().catch(() => ({}))) as Envelope;
  return new AffiliateError(body.message ?? `The server answered ${response.status}.`, {
    status: response.status,
    code: body.code ?? 'UNKNOWN',
    details: body.details,
    requestId: response.headers.get('x-request-id'),
  });
}
