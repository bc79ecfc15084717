import type { Input, Operation } from '../../packages/client/src/request.ts';
import { send as sendCall } from '../../packages/client/src/transport.ts';
import { ApiError } from './api-error';
import { operationOf, type Answer, type Fields, type Name } from './operations';

export type Side = 'merchant' | 'partner';
export type Mode = 'test' | 'live';

/** How the operations name the two sides, such as `signIn.loginMerchant`. */
export const sideNames = { merchant: 'Merchant', partner: 'Partner' } as const;

/** What signs somebody in, or keeps them in. */
export type Entrance = Extract<
  Name,
  `signIn.${'login' | 'register' | 'refresh' | 'claim' | 'acceptMember'}${string}`
>;
type Entered = Answer<Entrance>;
type Merchant = Extract<Entered['account'], { workspaceId: string }>;

/** Who is signed in; what only merchants have is missing of partners. */
export type Account = Omit<Merchant, 'workspaceId' | 'workspaceName' | 'role'> &
  Partial<Merchant> & {
    /** The workspace asks for a second factor, and refuses all else until there is one. */
    mustSetUp?: boolean;
  };

export type Role = Merchant['role'];
export type NewKey = Extract<Entered, { apiKeys: unknown }>['apiKeys'][number];

/** Says that there may be a cookie, which no script can see. It is no secret. */
const markOf = (side: Side): string => `aps-${side}-signed-in`;

/** Whether somebody of this side signed in with this browser, and has not signed out. */
export const wasSignedIn = (side: Side): boolean => localStorage.getItem(markOf(side)) !== null;

/** The time before its end at which an access token is replaced, so that no call meets its end on the way. */
const spareMs = 30_000;

/**
 * The signed-in person. The access token lives in this object only; the refresh token in a cookie
 * that no script can read. Tabs take turns to refresh.
 */
export class Session {
  account: Account | undefined;
  /** Keys of a workspace that was made just now: shown once, and kept nowhere but here. */
  newKeys: NewKey[] = [];
  private token: string | undefined;
  private endsAt = 0;
  private refreshing: Promise<boolean> | undefined;
  /** Ends the calls under way with the session: their answers would be for nobody. */
  private ends = new AbortController();
  private readonly listeners = new Set<() => void>();
  private readonly channel: BroadcastChannel;
  private readonly mark: string;

  constructor(readonly side: Side) {
    this.mark = markOf(side);
    this.channel = new BroadcastChannel(`aps-${side}`);
    this.channel.onmessage = () => this.forget();
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  snapshot = (): Account | undefined => this.account;

  /** Signs in, registers, accepts an invite or claims: whatever answers with a session. */
  async enter<N extends Entrance>(name: N, fields: Fields<N>): Promise<void> {
    this.take(await this.askOpenly<Entrance>(name, fields));
  }

  /** Asks as nobody: for a new password, or for what anybody may read. */
  askOpenly<N extends Name>(name: N, fields: Fields<N>): Promise<Answer<N>> {
    const options = { headers: { 'X-Session': 'cookie' }, maxRetries: 0 };
    const call = { input: fields as Input, options };
    return sendCall(here, operationOf(name), call) as Promise<Answer<N>>;
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
    await this.askOpenly(`signIn.logout${sideNames[this.side]}`, {}).catch(() => undefined);
  }

  /** The person's name, address or second factor has changed. */
  update(account: Partial<Account>): void {
    if (this.account) this.account = { ...this.account, ...account };
    this.tell();
  }

  /** Asks as this person. Throws ApiError for every answer that is no success. */
  ask<N extends Name>(name: N, fields: Fields<N>, mode?: Mode): Promise<Answer<N>> {
    return this.asSignedIn(() => this.send(operationOf(name), fields as Input, mode)) as Promise<
      Answer<N>
    >;
  }

  /** The same for a file: the answer as it comes. */
  file<N extends Name>(name: N, fields: Fields<N>, mode?: Mode): Promise<Response> {
    const operation = { ...operationOf(name), isStream: true };
    return this.asSignedIn(() => this.send(operation, fields as Input, mode)) as Promise<Response>;
  }

  private async asSignedIn<T>(send: () => Promise<T>): Promise<T> {
    if (Date.now() > this.endsAt - spareMs && !(await this.restore())) throw signedOut();
    try {
      return await send();
    } catch (error) {
      if (isSetUpAsked(error)) this.update({ mustSetUp: true });
      if (!isSignedOut(error)) throw error;
      if (await this.restore()) return send();
      this.forget();
      throw error;
    }
  }

  /**
   * Sends by the client package: it tries again, with one Idempotency-Key over all tries, and its
   * errors are as everywhere.
   */
  private send(operation: Operation, input: Input, mode: Mode | undefined): Promise<unknown> {
    const client = { ...here, accessToken: this.token ?? '' };
    const options = { signal: this.ends.signal, ...(mode !== undefined && { mode }) };
    return sendCall(client, operation, { input: withoutEmpty(operation, input), options });
  }

  private async refresh(): Promise<boolean> {
    const attempt = async (): Promise<boolean> => {
      try {
        await this.enter(`signIn.refresh${sideNames[this.side]}`, {});
        return true;
      } catch (error) {
        // An answer alone ends the session: a network that is away does not.
        if (!(error instanceof ApiError && error.status === 401)) throw error;
        this.forget();
        return false;
      }
    };
    const locks = (navigator as { locks?: LockManager }).locks;
    return locks ? locks.request(`aps-refresh-${this.side}`, attempt) : attempt();
  }

  private take(answer: Entered): void {
    this.token = answer.accessToken;
    this.endsAt = Date.now() + answer.expiresIn * 1_000;
    this.account = answer.account;
    this.newKeys = 'apiKeys' in answer ? answer.apiKeys : [];
    localStorage.setItem(this.mark, 'yes');
    this.tell();
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

const here = {
  ...{ baseUrl: '', fetch: fetchOwn },
  // Somebody is looking.
  ...{ maxRetries: 2, maxWaitMs: 3_000 },
};

/** The input without the empty texts of filters that are not set. */
function withoutEmpty({ method }: Operation, input: Input): Input {
  if (method !== 'GET') return input;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== ''));
}
