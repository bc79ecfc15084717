import type { Login } from '../demo/state';

export interface SessionOptions {
  apiUrl: string;
  side: 'merchant' | 'partner';
  login: Login;
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PATCH';
  body?: unknown;
}

/** A call of the API as a person who is signed in, in test mode. */
export type Session = (path: string, ask?: Ask) => Promise<Response>;

/** Signs in when it has to: at first, and when a token has ended. */
export function createSession({ apiUrl, side, login }: SessionOptions): Session {
  let token: Promise<string> | undefined;
  const signIn = async (): Promise<string> => {
    const answer = await fetch(`${apiUrl}/api/v1/auth/${side}/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
    });
    return ((await answer.json()) as { accessToken: string }).accessToken;
  };
  const send = async (path: string, { method = 'GET', body }: Ask): Promise<Response> => {
    token ??= signIn();
    const headers = {
      Authorization: `Bearer ${await token}`,
      'X-Mode': 'test',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    };
    return fetch(apiUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return async (path, ask = {}) => {
    try {
      const answer = await send(path, ask);
      if (answer.status !== 401) return answer;
    } catch (error) {
      token = undefined;
      throw error;
    }
    token = undefined;
    return send(path, ask);
  };
}
