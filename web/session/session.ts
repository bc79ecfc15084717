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
    const response = await send(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw await errorOf(response);
    return response;
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

  async leave(): Promise<void> {
    await this.post('logout', {}).catch(() => undefined);
    this.channel.postMessage('left');
    this.forget();
  }

  /** The person's name, address or second factor has changed. */
  update(account: Partial<Account>): void {
    if (this.account) this.account = { ...this.account, ...account };
    this.tell();
  }

  /** Calls the API as this person. Throws ApiError for every answer that is no success. */
  async call<T>(path: string, options: Call = {}): Promise<T> {
    if (Date.now() > this.endsAt - spareMs) await this.restore();
    let response = await this.request(path, options);
    if ((await isSignedOut(response)) && (await this.restore())) {
      response = await this.request(path, options);
    }
    if (await isSignedOut(response)) this.forget();
    if (!response.ok) throw await errorOf(response);
    if (options.raw) return response as T;
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  private request(path: string, { method = 'GET', query, body, mode }: Call): Promise<Response> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.token ?? ''}` };
    if (mode) headers['X-Mode'] = mode;
    if (body !== undefined) {
      headers['Content-Type'] = typeof body === 'string' ? 'text/csv' : 'application/json';
    }
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return send(path + searchOf(query), {
      method,
      headers,
      ...(body !== undefined && { body: sent }),
    });
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
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** `?a=1&b=2` of what is given; empty texts are left out. */
export function searchOf(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

/** Whether the access token was refused: a wrong code of the second factor is 401 too, and ends nothing. */
async function isSignedOut(response: Response): Promise<boolean> {
  if (response.status !== 401) return false;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  return (body as { code?: unknown } | undefined)?.code !== 'TWO_FACTOR_INVALID';
}

async function send(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, { ...init, credentials: 'same-origin', cache: 'no-store' });
  } catch {
    throw new ApiError('The server does not answer. Try again in a moment.', { code: 'NETWORK' });
  }
}
