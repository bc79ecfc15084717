import {
  errors,
  exportJWK,
  importJWK,
  jwtVerify,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTHeaderParameters,
} from 'jose';
import { LRUCache } from 'lru-cache';
import { isUuid } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { Role } from '../../entities/rules/values/roles';
import type { PrivateJwk } from '../config/secrets';

export const accessTokenSeconds = 900;

const algorithm = 'EdDSA';
/** Constant, so that every process of a fleet believes the others' tokens, whatever its own URL. */
const issuer = 'affiliate-programme-service';
const audience = 'affiliate-api';

/** What an access token says. Only account and session are believed; the rest is for its reader. */
export interface AccessClaims {
  side: Side;
  accountId: string;
  sessionId: string;
}

/** Claims of a token that is valid, and until when. */
export interface VerifiedClaims extends AccessClaims {
  expiresAt: Date;
}

interface AccessTokenSubject extends AccessClaims {
  workspaceId?: string;
  role?: Role;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

/** Signs and verifies access tokens (JWT, EdDSA, 15 minutes); keys are distinguished by `kid`. */
export function createAccessTokens(jwks: PrivateJwk[]) {
  const [signer] = jwks;
  const privateKey = signer && (importJWK({ ...signer }, algorithm) as Promise<CryptoKey>);
  const publicKeys = new Map(jwks.map((jwk) => [jwk.kid, importPublic(jwk)]));
  const verified = new LRUCache<string, Verified>({ max: 10_000 });

  return {
    async sign(subject: AccessTokenSubject, now: Date): Promise<string> {
      if (!signer || !privateKey) throw new Error('a key is needed to sign access tokens');
      const { side, accountId, sessionId, workspaceId, role } = subject;
      const issuedAt = Math.floor(now.getTime() / 1000);
      return new SignJWT({ typ: side, sid: sessionId, workspaceId, role })
        .setProtectedHeader({ alg: algorithm, kid: signer.kid, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(accountId)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(await privateKey);
    },
    /** Undefined for whatever is no valid, unexpired token of ours. */
    async verify(token: string, now: Date): Promise<VerifiedClaims | undefined> {
      const known = verified.get(token);
      if (known) return known.expiresAt > now.getTime() / 1000 ? known.claims : undefined;
      try {
        const { payload } = await jwtVerify(token, ({ kid }) => findKey(publicKeys, kid), {
          algorithms: [algorithm],
          issuer,
          audience,
          typ: 'JWT',
          requiredClaims: ['sub', 'exp', 'iat', 'typ', 'sid'],
          currentDate: now,
        });
        const claims = toClaims(payload);
        if (claims) verified.set(token, { claims, expiresAt: Number(payload.exp) });
        return claims;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
    /** The keys that `GET /.well-known/jwks.json` answers. */
    publicKeys: () => exportPublic(publicKeys),
  };
}

/** A signature stays true until the token expires; what can end sooner is asked of the database. */
interface Verified {
  claims: VerifiedClaims;
  /** The end of the token, in seconds since 1970. */
  expiresAt: number;
}

function importPublic({ kty, crv, x }: PrivateJwk): Promise<CryptoKey> {
  return importJWK({ kty, crv, x }, algorithm, { extractable: true }) as Promise<CryptoKey>;
}

async function exportPublic(keys: Map<string, Promise<CryptoKey>>): Promise<{ keys: JWK[] }> {
  const exported = [...keys].map(async ([kid, key]) => ({
    ...(await exportJWK(await key)),
    kid,
    alg: algorithm,
    use: 'sig',
  }));
  return { keys: await Promise.all(exported) };
}

function findKey(
  keys: Map<string, Promise<CryptoKey>>,
  kid: JWTHeaderParameters['kid'],
): Promise<CryptoKey> {
  const key = keys.get(kid ?? '');
  if (!key) throw new errors.JWKSNoMatchingKey();
  return key;
}

function toClaims(payload: Record<string, unknown>): VerifiedClaims | undefined {
  const { typ, sub, sid, exp } = payload;
  if (typ !== 'merchant' && typ !== 'partner') return undefined;
  if (!isUuid(sub) || !isUuid(sid)) return undefined;
  const expiresAt = new Date(Number(exp) * 1000);
  return { side: typ, accountId: sub, sessionId: sid, expiresAt };
}
