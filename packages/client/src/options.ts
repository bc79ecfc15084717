/** One try of a call, as hooks see it: nothing of its credential or body. */
export interface RequestInfo {
  /** As it is called: `conversions.report`. */
  operation: string;
  method: string;
  url: string;
  /** From 1. */
  attempt: number;
  /** A POST's key: the same over all its tries. */
  idempotencyKey: string | null;
}

export interface ResponseInfo extends RequestInfo {
  /** 0 when nothing answered. */
  status: number;
  requestId: string | null;
  headers: Headers;
  durationMs: number;
}

export interface ClientOptions {
  /** A secret, public or management key; its prefix says whether it is of test or live mode. */
  apiKey?: string;
  /** A person's token. */
  accessToken?: string;
  /** Asked before every try, for tokens that are renewed. */
  getAccessToken?: () => string | undefined | Promise<string | undefined>;
  /** Where the service is, such as https://api.example.com */
  baseUrl: string;
  /** Test or live data, for access tokens; beside a key it must be the key's. */
  mode?: 'test' | 'live';
  /** Limit of one try, in milliseconds: 30,000. */
  timeoutMs?: number;
  /** Limit of all tries of a call and the waits between them; without it tries and waits are bounded each. */
  deadlineMs?: number;
  /** Tries after the first one: 3. */
  maxRetries?: number;
  /** A longer Retry-After than this ends the call: 120,000. */
  maxWaitMs?: number;
  /** In place of the global one. */
  fetch?: typeof fetch;
  /** Told of each try before it is sent. What a hook throws is ignored. */
  onRequest?: (request: RequestInfo) => void;
  /** Told of each answer, and with status 0 of each try that nothing answered. */
  onResponse?: (response: ResponseInfo) => void;
}

type Checked = Omit<ClientOptions, 'baseUrl'> & { idempotencyKey?: string };

/** Throws TypeError with a sentence for what no call could be made with. */
export function checkClient(options: ClientOptions | undefined): void {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError('AffiliateClient wants its options: { apiKey, baseUrl }.');
  }
  checkBaseUrl(options.baseUrl);
  const { apiKey, accessToken, getAccessToken } = options;
  const isUndefined = [apiKey, accessToken, getAccessToken].every((one) => one === undefined);
  // Calls without a credential are made by a client that names none, such as one that signs in.
  const named = ['apiKey', 'accessToken'].find((name) => name in options);
  if (isUndefined && named) {
    throw new TypeError(`${named} is undefined: is its environment variable set?`);
  }
  checkCall(options);
}

function checkBaseUrl(baseUrl: unknown): void {
  const wanted = 'baseUrl wants the address of the service, such as https://api.example.com';
  if (typeof baseUrl !== 'string' || !/^https?:\/\//i.test(baseUrl)) {
    throw new TypeError(`${wanted}, not ${JSON.stringify(baseUrl)}.`);
  }
  const url = asUrl(baseUrl);
  if (!url) throw new TypeError(`${wanted}, not ${JSON.stringify(baseUrl)}.`);
  if (url.username || url.password) throw new TypeError(`${wanted}, without a name and password.`);
  if (url.search || url.hash) throw new TypeError(`${wanted}, without a query or fragment.`);
}

function asUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** What a client and each of its calls may say. */
export function checkCall(options: Checked): void {
  const { apiKey, accessToken, mode, idempotencyKey } = options;
  checkCredentials(apiKey, accessToken);
  checkMode(mode, apiKey);
  if (idempotencyKey !== undefined && !/^[\x20-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw new TypeError('idempotencyKey wants 1 to 255 letters, digits or signs of ASCII.');
  }
  checkNumbers(options);
}

function checkMode(mode: Checked['mode'], apiKey: string | undefined): void {
  if (mode === undefined) return;
  if (!['test', 'live'].includes(mode)) {
    throw new TypeError(`mode is 'test' or 'live', not ${JSON.stringify(mode)}.`);
  }
  const ofKey = apiKey?.split('_')[1] ?? mode;
  if (mode !== ofKey) throw new TypeError(`mode is '${mode}', and the apiKey is of ${ofKey} mode.`);
}

function checkNumbers(options: Checked): void {
  const { maxRetries = 0 } = options;
  if (!(maxRetries >= 0)) throw new TypeError(`maxRetries wants 0 or more, not ${maxRetries}.`);
  for (const name of ['timeoutMs', 'deadlineMs', 'maxWaitMs'] as const) {
    const ms = options[name] ?? 1;
    if (ms > 0 && ms < 2 ** 31) continue;
    throw new TypeError(`${name} wants milliseconds, more than 0 and less than 2^31, not ${ms}.`);
  }
}

/** Says nothing of what it was given: it may be another secret. */
function checkCredentials(apiKey: unknown, accessToken: unknown): void {
  if (apiKey !== undefined && !/^[psm]k_(test|live)_[\x21-\x7e]+$/.test(String(apiKey))) {
    throw new TypeError(
      'apiKey wants a key as it was shown: pk_, sk_ or mk_, then test_ or live_, and no white space.',
    );
  }
  if (accessToken !== undefined && !/^[\x21-\x7e]*$/.test(String(accessToken))) {
    throw new TypeError('accessToken has white space or characters that no token has.');
  }
}
