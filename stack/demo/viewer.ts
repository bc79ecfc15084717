import { codeOf, connect, type Service } from './client';
import { newLogin, readState, saveState, type Login } from './state';

/**
 * The login of a member of the demo's workspace who may read everything and change nothing, for whoever
 * only looks: made by an invite, as any member is, and the same at each call.
 */
export async function ensureViewer({
  stackDir,
  ...service
}: Service & { stackDir: string }): Promise<Login> {
  const state = readState(stackDir);
  if (state.viewer && (await mayEnter(service, state.viewer))) return state.viewer;
  const viewer = newLogin(state.merchant, 'guest');
  await join(service, state.merchant, viewer);
  saveState(stackDir, { ...state, viewer });
  return viewer;
}

async function mayEnter(service: Service, login: Login): Promise<boolean> {
  const { client, options } = connect(service);
  try {
    await client.signIn.loginMerchant(login, options);
    return true;
  } catch (error) {
    if (codeOf(error) !== 'INVALID_CREDENTIALS') throw error;
    return false;
  }
}

async function join(service: Service, owner: Login, { email, password }: Login): Promise<void> {
  const anybody = connect(service);
  const { accessToken } = await anybody.client.signIn.loginMerchant(owner, anybody.options);
  const { client, options } = connect(service, accessToken);
  const { inviteUrl } = await client.members.invite({ email, role: 'viewer' }, options);
  const token = new URL(inviteUrl).searchParams.get('token');
  if (token === null) throw new Error('The link of an invite has no token.');
  const member = { token, name: 'Gil Guest', password };
  await anybody.client.signIn.acceptMemberInvite(member, anybody.options);
}
