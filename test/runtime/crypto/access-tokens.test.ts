import { importJWK, SignJWT, type JWTPayload } from 'jose';
import { newId } from '../../../entities/ids';
import { createAccessTokens } from '../../../runtime/crypto/access-tokens';
import { generateSecrets, type PrivateJwk } from '../../../runtime/config/secrets';

function newKey(kid: string): PrivateJwk {
  const [key] = JSON.parse(generateSecrets().JWT_PRIVATE_KEYS) as PrivateJwk[];
  if (!key) throw new Error('no key was generated');
  return { ...key, kid };
}

const now = new Date('2026-01-31T12:00:00.000Z');
const later = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
const subject = { side: 'partner', accountId: newId(), sessionId: newId() } as const;

const key = newKey('now');
const tokens = createAccessTokens([key]);

/** A token of our own key, wrong in one point. */
async function forge(
  change: { claims?: JWTPayload; header?: Record<string, string>; without?: string } = {},
): Promise<string> {
  const seconds = now.getTime() / 1000;
  const claims: JWTPayload = {
    iss: 'affiliate-programme-service',
    aud: 'affiliate-api',
    sub: subject.accountId,
    sid: subject.sessionId,
    typ: 'partner',
    iat: seconds,
    exp: seconds + 900,
    ...change.claims,
  };
  if (change.without) delete claims[change.without];
  const header = { alg: 'EdDSA', kid: 'now', typ: 'JWT', ...change.header };
  return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK({ ...key }, 'EdDSA'));
}

describe('access tokens', () => {
  it('say whose they are, for fifteen minutes', async () => {
    const token = await tokens.sign(subject, now);
    expect(await tokens.verify(token, later(899))).toMatchObject(subject);
    expect(await tokens.verify(token, later(901))).toBeUndefined();
    expect(await tokens.verify(await forge(), now)).toMatchObject(subject);
  });

  it.each([
    ['another issuer', { claims: { iss: 'somebody' } }],
    ['another audience', { claims: { aud: 'somebody' } }],
    ['an unknown side', { claims: { typ: 'operator' } }],
    ['no expiry', { without: 'exp' }],
    ['no subject', { without: 'sub' }],
    ['a subject that is no account id', { claims: { sub: 'somebody' } }],
    ['a session that is no id', { claims: { sid: "1' OR true" } }],
    ['no session', { without: 'sid' }],
    ['another kind of token', { header: { typ: 'refresh+jwt' } }],
    ['an unknown key', { header: { kid: 'other' } }],
  ])('are refused with %s', async (_name, change) => {
    expect(await tokens.verify(await forge(change), now)).toBeUndefined();
  });

  it('are refused when unsigned, or signed with the public key as a secret', async () => {
    const [, payload] = (await forge()).split('.');
    const header = Buffer.from('{"alg":"none","kid":"now","typ":"JWT"}').toString('base64url');
    expect(await tokens.verify(`${header}.${payload}.`, now)).toBeUndefined();
    const confused = await new SignJWT({ sid: subject.sessionId, typ: 'partner' })
      .setProtectedHeader({ alg: 'HS256', kid: 'now', typ: 'JWT' })
      .setIssuer('affiliate-programme-service')
      .setAudience('affiliate-api')
      .setSubject('account')
      .setIssuedAt(now)
      .setExpirationTime(later(900))
      .sign(Buffer.from(key.x.padEnd(64, '.')));
    expect(await tokens.verify(confused, now)).toBeUndefined();
    for (const junk of ['', 'x', 'a.b.c', '..']) {
      expect(await tokens.verify(junk, now)).toBeUndefined();
    }
  });

  it('outlive a rotation: the first key signs, all verify and are published', async () => {
    const old = await tokens.sign(subject, now);
    const rotated = createAccessTokens([newKey('next'), key]);
    expect(await rotated.verify(old, now)).toMatchObject(subject);
    expect(await tokens.verify(await rotated.sign(subject, now), now)).toBeUndefined();
    const { keys } = await rotated.publicKeys();
    expect(keys.map(({ kid }) => kid)).toEqual(['next', 'now']);
    expect(keys.every((published) => published.d === undefined)).toBe(true);
  });

  it('expire to the second, also when they were verified before', async () => {
    const token = await tokens.sign(subject, now);
    expect(await tokens.verify(token, now)).toMatchObject(subject);
    const [fresh, last, over] = [createAccessTokens([key]), later(899), later(900)];
    expect([await tokens.verify(token, last), await fresh.verify(token, last)]).toMatchObject([
      subject,
      subject,
    ]);
    const unseen = createAccessTokens([key]);
    expect(await tokens.verify(token, over)).toBeUndefined();
    expect(await unseen.verify(token, over)).toBeUndefined();
  });
});
