/** One field that the API refuses: a dotted path, or `body`. */
export interface FieldProblem {
  field: string;
  message: string;
}

interface ErrorFacts {
  status?: number;
  code: string;
  requestId?: string | null;
  details?: readonly FieldProblem[] | undefined;
}

/** What the API answered in place of a result; status 0 when nothing answered. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: readonly FieldProblem[];

  constructor(message: string, { status = 0, code, requestId = null, details = [] }: ErrorFacts) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

interface Envelope {
  message?: string;
  code?: string;
  details?: FieldProblem[];
}

/** Reads the API's error body; a proxy's page has none. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as Envelope;
  return new ApiError(body.message ?? `The server answered ${response.status}.`, {
    status: response.status,
    code: body.code ?? 'UNKNOWN',
    requestId: response.headers.get('x-request-id'),
    details: body.details,
  });
}
