import type { Side } from '../../entities/rules/accounts/accounts';
import type { Mode } from '../../entities/rules/values/mode';
import type { Caller } from './api-client';
import type { TestApp } from './app';
import { signIn } from './build/accounts';

/** A caller who is signed in as this account, in a mode. */
export async function callerOf(
  app: TestApp,
  account: { side: Side; id: string },
  mode: Mode = 'live',
): Promise<Caller> {
  const { accessToken } = await signIn(app.deps, account);
  return app.client.as(accessToken, mode);
}
