import { query } from '../../../entities/database/sql';
import { useApp } from '../../support/app';
import { buildMember, buildPartner, signIn } from '../../support/build/accounts';

const app = useApp();

interface Session {
  accessToken: string;
  refreshToken: string;
}

describe('refresh', () => {
  const refresh = (side: string, refreshToken: string) =>
    app.client.post<Session>(`/api/v1/auth/${side}/refresh`, { refreshToken });

  it('rotates, and ends the family when a spent token comes again', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const first = await signIn(app.deps, partner);
    const second = await refresh('partner', first.refreshToken);
    expect(second.status).toBe(200);
    expect(second.body.refreshToken).not.toBe(first.refreshToken);
    expect((await me(second.body.accessToken)).status).toBe(200);

    app.deps.clock.advance(10_000);
    const reused = await refresh('partner', first.refreshToken);
    expect([reused.status, reused.body]).toEqual([
      401,
      expect.objectContaining({ code: 'REFRESH_TOKEN_REUSED' }),
    ]);
    const after = await refresh('partner', second.body.refreshToken);
    expect(after.body).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    expect((await me(second.body.accessToken)).status).toBe(401);
    app.deps.clock.set(undefined);
  });

  const me = (token: string) => app.client.as(token).get('/api/v1/partner/account');

  const sibling = async (side: string, refreshToken: string) => {
    const { status, body } = await refresh(side, refreshToken);
    expect(status).toBe(200);
    return body;
  };

  it('leaves both of two equal requests signed in, twenty times over', async () => {
    const member = await buildMember(app.deps.db.manager);
    const { refreshToken } = await signIn(app.deps, member);
    let [one, two] = [refreshToken, ''];
    for (let round = 0; round < 20; round += 1) {
      const both = await Promise.all([sibling('merchant', one), sibling('merchant', one)]);
      [one, two] = both.map((session) => session.refreshToken) as [string, string];
      expect(one).not.toBe(two);
      for (const { accessToken } of both) {
        const account = await app.client.as(accessToken).get('/api/v1/auth/merchant/account');
        expect(account.status).toBe(200);
      }
      // Both are tokens of their own: the sibling is the next one's beginning.
      one = two;
    }
    const [counted] = await query<{ families: number }>(
      app.deps.db.manager,
      'SELECT count(*)::int AS families FROM sessions WHERE account_id = $1',
      [member.id],
    );
    expect(counted?.families).toBe(1);
  });

  it('ends the family at the third of three equal requests', async () => {
    const { refreshToken } = await signIn(app.deps, await buildMember(app.deps.db.manager));
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => refresh('merchant', refreshToken)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 401]);
    for (const { status, body } of answers) {
      if (status !== 200) continue;
      const next = await refresh('merchant', body.refreshToken);
      expect(next.body).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    }
  });

  it('answers an answer that was lost once more, for ten seconds', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const first = await signIn(app.deps, partner);
    await sibling('partner', first.refreshToken);
    app.deps.clock.advance(9_000);
    const again = await sibling('partner', first.refreshToken);
    expect((await me(again.accessToken)).status).toBe(200);
    const third = await refresh('partner', first.refreshToken);
    expect(third.body).toMatchObject({ code: 'REFRESH_TOKEN_REUSED' });
    expect((await me(again.accessToken)).status).toBe(401);
    app.deps.clock.set(undefined);
  });

  it('ends one of two siblings when the other is refreshed a minute later', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const { refreshToken } = await signIn(app.deps, partner);
    const one = await sibling('partner', refreshToken);
    const two = await sibling('partner', refreshToken);
    app.deps.clock.advance(30_000);
    const oneLater = await sibling('partner', one.refreshToken);
    app.deps.clock.advance(30_000);
    const twoLater = await sibling('partner', two.refreshToken);
    const ended = await refresh('partner', oneLater.refreshToken);
    expect([ended.status, ended.body]).toMatchObject([401, { code: 'INVALID_REFRESH_TOKEN' }]);
    const goesOn = await sibling('partner', twoLater.refreshToken);
    expect((await me(goesOn.accessToken)).status).toBe(200);
    app.deps.clock.set(undefined);
  });

  it('refuses tokens that are unknown, expired, of the other side or logged out', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const { refreshToken } = await signIn(app.deps, partner);
    const codeOf = async (side: string, token: string) =>
      (await refresh(side, token)).body as unknown as { code: string };
    for (const unknown of ['', 'nonsense', 'x'.repeat(10_000)]) {
      expect(await codeOf('partner', unknown)).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    }
    expect(await codeOf('merchant', refreshToken)).toMatchObject({ code: 'INVALID_REFRESH_TOKEN' });
    expect((await refresh('partner', refreshToken)).status).toBe(200);

    const other = await signIn(app.deps, partner);
    app.deps.clock.advance(30 * 24 * 3_600_000 + 1_000);
    expect(await codeOf('partner', other.refreshToken)).toMatchObject({
      code: 'INVALID_REFRESH_TOKEN',
    });
    app.deps.clock.set(undefined);

    const third = await signIn(app.deps, partner);
    for (const token of [
      third.refreshToken,
      third.refreshToken,
      'nonsense',
      '',
      'x'.repeat(10_000),
    ]) {
      const out = await app.client.post('/api/v1/auth/partner/logout', { refreshToken: token });
      expect(out.status).toBe(204);
    }
    expect(await codeOf('partner', third.refreshToken)).toMatchObject({
      code: 'INVALID_REFRESH_TOKEN',
    });
    expect((await me(third.accessToken)).status).toBe(401);
  });

  it('does not log out by a token of the other side', async () => {
    const partner = await buildPartner(app.deps.db.manager);
    const { refreshToken } = await signIn(app.deps, partner);
    await app.client.post('/api/v1/auth/merchant/logout', { refreshToken });
    expect((await refresh('partner', refreshToken)).status).toBe(200);
  });
});
