import { packId, packedIdLength, unpackId } from './packed-ids';
import { newOpaqueToken } from './tokens';
import { sameText, type Vault } from './vault';

type Keys = Pick<Vault, 'derive'>;

const tokenShape = /^[\w-]{108}$/;
const macLength = 43;

/**
 * A refresh token: the id of its family, 256 random bits and a MAC over both, 108 characters of
 * base64url. It is known as one of its family when nothing else is stored of it any more.
 */
export function newRefreshToken(vault: Keys, sessionId: string): string {
  const secret = newOpaqueToken();
  return `${packId(sessionId)}${secret}${macOf(vault, sessionId, secret)}`;
}

/**
 * The family of a token that this service made; undefined for any other text, and for the tokens of
 * 43 characters that earlier releases made.
 */
export function familyOfToken(vault: Keys, token: string): string | undefined {
  const sessionId = tokenShape.test(token) ? unpackId(token) : undefined;
  if (sessionId === undefined) return undefined;
  const secret = token.slice(packedIdLength, -macLength);
  const mac = token.slice(-macLength);
  return sameText(mac, macOf(vault, sessionId, secret)) ? sessionId : undefined;
}

function macOf(vault: Keys, sessionId: string, secret: string): string {
  return vault.derive('refresh token', sessionId, secret);
}
