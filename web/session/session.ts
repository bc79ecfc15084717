import { send as sendCall } from '../../packages/client/src/transport.ts';
import { ApiError, errorOf } from './api-error';

export type Side = 'merchant' | 'partner';
export type Mode = 'test' | 'live';
export type Role = 'viewer' | 'member' | 'admin' | 'owner';

export interface Account {
  id: string;
  email: string;
  name: string;
  emailVerified: boolean;
  twoFactor?: boolean;
  /** The workspace asks for a second factor, and refuses all else until there is one. */
  mustSetUp?: boolean;
  /** Merchants only. */
  workspaceId?: string;
  workspaceName?: string;
  role?: Role;
}

export interface NewKey {
  kind: string;
  mode: Mode;
  key: string;
}

interface SessionAnswer {
  accessToken: string;
  expiresIn: number;
  account: Account;
  apiKeys?: NewKey[];
}

export type Query = Record<string, string | number | boolean | undefined>;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query | undefined;
  body?: unknown;
  mode?: Mode | undefined;
  /** The answer as it came, for files. */
  raw?: boolean;
}

/** Before it ends an access token is replaced, so that no call meets its end on the way. */
const spareMs = 30_000;

/**
 * The signed-in person. The access token lives in this object only; the refresh token in a cookie
 * that no script can read. Tabs take turns to refresh.
 */
export class Session {
  account: Account | undefined;
  /** Of a workspace that was made just now: shown once, and kept nowhere but here. */
  newKeys: NewKey[] = [];
  private token: string | undefined;
  private endsAt = 0;
  private refreshing: Promise<boolean> | undefined;
  /** Ends the calls under way with the session: their answers would be for nobody. */
  private ends = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly channel: BroadcastChannel;
  /** Says that there may be a cookie, which no script can see. It is no secret. */
  private readonly mark: string;

  constructor(readonly side: Side) {
    this.mark = `aps-${side}-signed-in`;
    this.channel = new BroadcastChannel(`aps-${side}`);
    this.channel.onmessage = () => this.forget();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): Account | undefined => this.account;

  /** Signs in, registers, accepts an invite or claims: whatever answers with a session. */
  async enter(action: string, body: unknown): Promise<SessionAnswer> {
    const answer = await this.post(action, body);
    return this.take((await answer.json()) as SessionAnswer);
  }

  /** Sends what needs no session, such as a forgotten password. */
  async post(action: string, body: unknown): Promise<Response> {
    const path = action.startsWith('/') ? action : `/api/v1/auth/${this.side}/${action}`;
    return send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie' },
      body: JSON.stringify(body),
    });
  }

  /** Reads what anybody may read, such as the terms of a programme. */
  async read<T>(path: string): Promise<T> {
    return (await (await send(path, {})).json()) as T;
  }

  /**
   * Whether the cookie still stands for somebody; two calls at once are one. Throws when nothing
   * answers. Who never signed in with this browser is not asked for.
   */
  restore(): Promise<boolean> {
    if (localStorage.getItem(this.mark) === null) return Promise.resolve(false);
    this.refreshing ??= this.refresh().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  /** All tabs stop asking first, so that none is refused for a session that has just ended. */
  async leave(): Promise<void> {
    this.channel.postMessage('left');
    this.forget();
    await this.post('logout', {}).catch(() => undefined);
  }

  /** The person's name, address or second factor has changed. */
  update(account: Partial<Account>): void {
    if (this.account) this.account = { ...this.account, ...account };
    this.tell();
  }

  /** Calls the API as this person. Throws ApiError for every answer that is no success. */
  async call<T>(path: string, options: Call = {}): Promise<T> {
    if (Date.now() > this.endsAt - spareMs && !(await this.restore())) throw signedOut();
    try {
      return await this.request<T>(path, options);
    } catch (error) {
      if (isSetUpAsked(error)) this.update({ mustSetUp: true });
      if (!isSignedOut(error)) throw error;
      if (await this.restore()) return this.request<T>(path, options);
      this.forget();
      throw error;
    }
  }

  /** By the client package: tries, one Idempotency-Key over them, and errors are as everywhere. */
  private request<T>(path: string, { method = 'GET', query, body, mode, raw }: Call): Promise<T> {
    const given = givenOf(query);
    const isText = typeof body === 'string';
    const operation = {
      ...{ method, path, isStream: raw === true, query: Object.keys(given) },
      type: isText ? 'text/csv' : 'application/json',
    };
    const client = {
      ...{ baseUrl: '', accessToken: this.token ?? '', fetch: fetchOwn },
      // Somebody is looking.
      ...{ maxRetries: 2, maxWaitMs: 3_000 },
    };
    const fields = isText ? { body } : (body as object | undefined);
    const options = { signal: this.ends.signal, ...(mode !== undefined && { mode }) };
    return sendCall(client, operation, { input: { ...given, ...fields }, options }) as Promise<T>;
  }

  private async refresh(): Promise<boolean> {
    const attempt = async (): Promise<boolean> => {
      try {
        this.take((await (await this.post('refresh', {})).json()) as SessionAnswer);
        return true;
      } catch (error) {
        // Only an answer ends the session: a network that is away does not.
        if (!(error instanceof ApiError && error.status === 401)) throw error;
        this.forget();
        return false;
      }
    };
    const locks = (navigator as { locks?: LockManager }).locks;
    return locks ? locks.request(`aps-refresh-${this.side}`, attempt) : attempt();
  }

  private take(answer: SessionAnswer): SessionAnswer {
    this.token = answer.accessToken;
    this.endsAt = Date.now() + answer.expiresIn * 1_000;
    this.account = answer.account;
    this.newKeys = answer.apiKeys ?? [];
    localStorage.setItem(this.mark, 'yes');
    this.tell();
    return answer;
  }

  private forget(): void {
    this.token = undefined;
    this.endsAt = 0;
    this.account = undefined;
    localStorage.removeItem(this.mark);
    this.ends.abort();
    this.ends = new AbortController();
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** What is given; empty texts are left out. */
function givenOf(query: Query = {}): Query {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(given);
}

/** `?a=1&b=2` of what is given. */
export function searchOf(query?: Query): string {
  const given = Object.entries(givenOf(query)).map(([name, value]) => [name, String(value)]);
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

const signedOut = (): ApiError =>
  new ApiError('Sign in again.', { status: 401, code: 'UNAUTHORIZED' });

/** Whether the access token was refused: a wrong code of the second factor is 401 too, and ends nothing. */
function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'TWO_FACTOR_INVALID';
}

const isSetUpAsked = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'TWO_FACTOR_SETUP_REQUIRED';

const fetchOwn: typeof fetch = (url, init) =>
  fetch(url, { ...init, credentials: 'same-origin', cache: 'no-store' });

/** Without the client package, which wants a credential. Throws ApiError for what is no success. */
async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetchOwn(path, init).catch((cause: unknown) => {
    const text = 'The server does not answer. Try again in a moment.';
    throw new ApiError(text, { status: 0, code: 'NETWORK_ERROR', cause });
  });
  if (!response.ok) throw await errorOf(response);
  return response;
}
