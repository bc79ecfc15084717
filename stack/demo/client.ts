import { AffiliateClient, AffiliateError, type CallOptions } from '../../packages/client/src';

export type Mode = 'test' | 'live';

/** The running service, as whoever holds the token; every call ends when the start is given up. */
export interface Connection {
  client: AffiliateClient;
  options: Pick<CallOptions, 'signal'>;
}

export interface Service {
  apiUrl: string;
  signal: AbortSignal;
}

/** Asks as any client does, and waits when it is asked to. The token: of a person, or a key. */
export function connect({ apiUrl, signal }: Service, token?: string, mode?: Mode): Connection {
  const client = new AffiliateClient({
    baseUrl: apiUrl,
    maxRetries: 5,
    ...(token !== undefined && { accessToken: token }),
    ...(mode !== undefined && { mode }),
  });
  return { client, options: { signal } };
}

/** The code of a refusal; what is none is thrown again. */
export function codeOf(error: unknown): string {
  if (error instanceof AffiliateError) return error.code;
  throw error;
}

/** What the person at the terminal reads of a refusal that no step expects. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof AffiliateError)) return error;
  const { status, code, message } = error;
  const reason = `${status} ${code} ${message}`;
  return new Error(`The demo could not be set up: the service answered ${reason}`, {
    cause: error,
  });
}
