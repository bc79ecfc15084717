import { resetTwoFactor } from '../../../activities/accounts/two-factor/changes';
import { routes } from '../../../api/routes';
import { query } from '../../../entities/database/sql';
import { newId } from '../../../entities/ids';
import { useApp } from '../../support/app';
import { codeOf } from '../../support/api-client';
import {
  buildMember,
  buildPartner,
  signIn,
  testPassword as password,
} from '../../support/build/accounts';
import { buildTwoFactor, codeAt } from '../../support/build/two-factor';
import { deliverQueued, mailTo, tokenIn } from '../../support/stored/mails';

const app = useApp();

const workspacePath = '/api/v1/workspace';

async function memberOf(workspaceId?: string, role: 'owner' | 'admin' = 'owner') {
  const account = await buildMember(app.deps.db.manager, {
    role,
    ...(workspaceId && { workspaceId }),
  });
  const { accessToken } = await signIn(app.deps, account);
  return { account, accessToken, by: app.client.as(accessToken) };
}

const rowsOf = ({ id }: { id: string }) =>
  query(app.deps.db.manager, 'SELECT 1 FROM two_factors WHERE account_id = $1', [id]);

const auditOf = async ({ id }: { id: string }): Promise<unknown[]> =>
  query(
    app.deps.db.manager,
    'SELECT action, actor_type AS "actorType" FROM audit_log WHERE target_id = $1 ORDER BY id DESC',
    [id],
  );

describe('a workspace that asks for a second factor', () => {
  it('is made so by owners only, and off at first', async () => {
    const owner = await memberOf();
    const admin = await memberOf(owner.account.workspaceId, 'admin');
    expect((await owner.by.get(workspacePath)).body).toMatchObject({ requireTwoFactor: false });
    const refused = await admin.by.patch(workspacePath, { requireTwoFactor: true });
    expect(codeOf(refused)).toEqual([403, 'FORBIDDEN']);
    expect((await admin.by.patch(workspacePath, { name: 'Other' })).status).toBe(200);
    const set = await owner.by.patch(workspacePath, { requireTwoFactor: true });
    expect([set.status, set.body['requireTwoFactor']]).toEqual([200, true]);
    expect(await auditOf({ id: owner.account.workspaceId })).toContainEqual({
      action: 'workspace.two_factor_required',
      actorType: 'member',
    });
  });

  it('refuses members without one, owners too, on all but their own account', async () => {
    const owner = await memberOf();
    const { by, accessToken, account } = owner;
    await by.patch(workspacePath, { requireTwoFactor: true });

    const members = routes.filter(({ spec: { auth } }) =>
      ['merchant', 'secretKeyOrMerchant'].includes(auth.kind),
    );
    for (const { method, path } of members) {
      const isOwn = path.startsWith('/api/v1/auth/');
      if (isOwn && method !== 'get') continue;
      const response = await fetch(app.client.url + path.replace(/:\w+/g, newId()), {
        method: method.toUpperCase(),
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' },
        ...(['get', 'delete'].includes(method) ? {} : { body: '{}' }),
      });
      const { code } = (await response.json()) as { code?: string };
      const expected = isOwn ? [200, undefined] : [403, 'TWO_FACTOR_SETUP_REQUIRED'];
      expect([method, path, response.status, code]).toEqual([method, path, ...expected]);
    }
    const renamed = await by.patch('/api/v1/auth/merchant/account', { name: 'Mia' });
    expect(renamed.status).toBe(200);

    const setup = await by.post<{ secret: string }>('/api/v1/auth/merchant/two-factor/setup', {
      password,
    });
    expect((await by.get(workspacePath)).status).toBe(403);
    const code = codeAt(setup.body.secret, app.deps.clock.now());
    const enabled = await by.post('/api/v1/auth/merchant/two-factor/enable', { code });
    expect(enabled.status).toBe(200);
    expect((await by.get(workspacePath)).status).toBe(200);

    const other = await memberOf(account.workspaceId, 'admin');
    expect((await other.by.get(workspacePath)).status).toBe(403);
    await by.patch(workspacePath, { requireTwoFactor: false });
    expect((await other.by.get(workspacePath)).status).toBe(200);
  });

  it('asks nothing of another workspace', async () => {
    const owner = await memberOf();
    const neighbour = await memberOf();
    await owner.by.patch(workspacePath, { requireTwoFactor: true });
    expect((await neighbour.by.get(workspacePath)).status).toBe(200);
  });
});

describe('a second factor that is there (accounts.md, Second factor)', () => {
  it('survives a reset of the password', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const { recoveryCodes } = await buildTwoFactor(app.deps, partner);
    const { email } = partner;
    await app.client.post('/api/v1/auth/partner/forgot-password', { email });
    await deliverQueued(app.deps);
    const token = tokenIn((await mailTo(email, 'new password')).text);
    const body = { token, password: 'another long password' };
    expect((await app.client.post('/api/v1/auth/partner/reset-password', body)).status).toBe(204);
    const login = (code?: string) =>
      app.client.post('/api/v1/auth/partner/login', { email, password: body.password, code });
    expect(codeOf(await login())).toEqual([401, 'TWO_FACTOR_REQUIRED']);
    expect((await login(recoveryCodes[0])).status).toBe(200);
  });

  it('is taken off by an operator: sessions end, the holder and the audit log are told', async () => {
    const { account, by } = await memberOf();
    const ref = { side: 'merchant', accountId: account.id } as const;
    const reset = () => resetTwoFactor(app.deps.db.manager, { now: app.deps.clock.now() }, ref);
    await expect(reset()).rejects.toMatchObject({ code: 'TWO_FACTOR_NOT_SET_UP' });
    await buildTwoFactor(app.deps, account);
    await reset();
    expect(await rowsOf(account)).toEqual([]);
    expect((await by.get('/api/v1/auth/merchant/account')).status).toBe(401);
    const [last] = await auditOf(account);
    expect(last).toEqual({ action: 'two_factor.reset', actorType: 'system' });
    await deliverQueued(app.deps);
    await mailTo(account.email, 'second factor was taken off');
    const { email } = account;
    const login = await app.client.post('/api/v1/auth/merchant/login', { email, password });
    expect(login.status).toBe(200);
    const other = { side: 'merchant', accountId: newId() } as const;
    const none = resetTwoFactor(app.deps.db.manager, { now: app.deps.clock.now() }, other);
    await expect(none).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('goes with a member who is removed', async () => {
    const owner = await memberOf();
    const member = await memberOf(owner.account.workspaceId, 'admin');
    await buildTwoFactor(app.deps, member.account);
    await owner.by.delete(`/api/v1/workspace/members/${member.account.id}`);
    expect(await rowsOf(member.account)).toEqual([]);
  });
});
