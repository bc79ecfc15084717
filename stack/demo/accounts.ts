import type { NewKeyDto } from '../../packages/client/src';
import { codeOf, connect, type Service } from './client';

export interface Session {
  token: string;
  /** The keys of a workspace that was made just now; they are never shown again. */
  newKeys: NewKeyDto[];
}

/** The account's name is taken by an account whose password we do not know. */
export class NamesTaken extends Error {}

interface Account {
  email: string;
  password: string;
  name: string;
}

/** Registers, or signs in when an earlier start did that already. */
export async function signInMerchant(
  service: Service,
  account: Account & { workspaceName: string },
): Promise<Session> {
  const { client, options } = connect(service);
  const session = await registeredOr(account, {
    register: () => client.signIn.registerMerchant(account, options),
    login: () => client.signIn.loginMerchant(credentials(account), options),
  });
  return { token: session.accessToken, newKeys: 'apiKeys' in session ? session.apiKeys : [] };
}

export async function signInPartner(service: Service, account: Account): Promise<string> {
  const { client, options } = connect(service);
  const { accessToken } = await registeredOr(account, {
    register: () => client.signIn.registerPartner(account, options),
    login: () => client.signIn.loginPartner(credentials(account), options),
  });
  return accessToken;
}

const credentials = ({ email, password }: Account) => ({ email, password });

async function registeredOr<R, L>(
  { email }: Account,
  { register, login }: { register: () => Promise<R>; login: () => Promise<L> },
): Promise<R | L> {
  try {
    return await register();
  } catch (error) {
    if (codeOf(error) !== 'EMAIL_TAKEN') throw error;
  }
  try {
    return await login();
  } catch (error) {
    if (codeOf(error) !== 'INVALID_CREDENTIALS') throw error;
    throw new NamesTaken(`${email} belongs to somebody else.`);
  }
}
