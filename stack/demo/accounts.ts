import type { ApiClient, Mode } from './client';

export type Side = 'merchant' | 'partner';

export interface NewKey {
  kind: 'public' | 'secret';
  mode: Mode;
  key: string;
}

export interface Session {
  token: string;
  /** The keys of a workspace that was made just now; they are never shown again. */
  newKeys: NewKey[];
}

interface SignInAnswer {
  accessToken: string;
  apiKeys?: NewKey[];
}

/** The account's name is taken by an account whose password we do not know. */
export class NamesTaken extends Error {}

export interface Registration {
  email: string;
  password: string;
  name: string;
  workspaceName?: string;
}

/** Registers, or signs in when an earlier start did that already. */
export async function signIn(api: ApiClient, side: Side, account: Registration): Promise<Session> {
  const registered = await api<SignInAnswer>(`/api/v1/auth/${side}/register`, {
    method: 'POST',
    body: account,
    accept: ['EMAIL_TAKEN'],
  });
  if (registered.code === undefined) return toSession(registered.body);

  const { email, password } = account;
  const signedIn = await api<SignInAnswer>(`/api/v1/auth/${side}/login`, {
    method: 'POST',
    body: { email, password },
    accept: ['INVALID_CREDENTIALS'],
  });
  if (signedIn.code !== undefined) throw new NamesTaken(`${email} belongs to somebody else.`);
  return toSession(signedIn.body);
}

function toSession({ accessToken, apiKeys = [] }: SignInAnswer): Session {
  return { token: accessToken, newKeys: apiKeys };
}
