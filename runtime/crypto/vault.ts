import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';
import { networkOf } from '../../entities/rules/values/network';
import type { Secrets } from '../config/secrets';

/**
 * What is kept encrypted. A column that shares its boxes with another one has one name with it; cursors
 * are kept by clients alone.
 */
export type BoxColumn =
  | 'cursors'
  | 'erasure_identities.sealed'
  | 'idempotency_keys.answer'
  | 'import_chunks.sealed'
  | 'import_rows.sealed'
  | 'imports.credentials'
  | 'partner_accounts.payout_method'
  | 'partner_accounts.vat_id'
  | 'payout_batches.request'
  | 'payout_connections.client_secret'
  | 'sealed_recipients.sealed'
  | 'stripe_connections.restricted_key'
  | 'stripe_connections.webhook_secret'
  | 'stripe_events.body'
  | 'two_factors.secret'
  | 'webhook_endpoints.secret';

/** Where a box is kept, with the key of its row: it opens nowhere else. */
export type BoxPlace = readonly [column: BoxColumn, ...row: string[]];

/** Names the format, so that another one can be told from it. */
const boxFormat = 'v1';

/** Encryption, keyed hashes and derived tokens: all that uses a secret of the service. */
export interface Vault {
  /** AES-256-GCM under the first key, bound to its place: `v1.<key id>.<iv>.<ciphertext and tag>`. */
  encrypt(text: string, place: BoxPlace): string;
  /** The same, and the same box each time for one text and place: its iv is derived from both. */
  encryptAlike(text: string, place: BoxPlace): string;
  decrypt(box: string, place: BoxPlace): string;
  /** Beginning of the boxes that are as they would be written now. */
  readonly boxPrefix: string;
  /** `keyId:hash` under the first IP key; of an IPv6 address only its network counts. */
  ipHash(ip: string): string;
  /** The same address under every IP key, for comparisons while a key rotates. */
  ipHashes(ip: string): string[];
  /** Keyed hash of a normalised contact address; stable for ever. */
  contactHash(address: string): string;
  /** A token that can be made again from its parts and is stored nowhere (base64url, 256 bits). */
  derive(purpose: string, ...parts: (string | number)[]): string;
}

export function createVault(secrets: Secrets): Vault {
  // A key object is prepared once, and not at every use.
  const tokenKey = createSecretKey(
    Buffer.from(hkdfSync('sha256', secrets.contactHashKey, '', 'derived tokens', 32)),
  );
  const ipKeys = secrets.ipHashKeys.map(({ id, key }) => ({ id, key: createSecretKey(key) }));
  const [ipKey] = ipKeys;
  if (!ipKey) throw new Error('the vault needs keys');
  const hashIp = (key: KeyObject, ip: string): string =>
    createHmac('sha256', key).update(networkOf(ip)).digest('base64url').slice(0, 32);

  const derive: Vault['derive'] = (purpose, ...parts) =>
    createHmac('sha256', tokenKey)
      .update(JSON.stringify([purpose, ...parts]))
      .digest('base64url');

  return {
    ...createBoxes(secrets, derive),
    derive,
    ipHash: (ip) => `${ipKey.id}:${hashIp(ipKey.key, ip)}`,
    ipHashes: (ip) => ipKeys.map(({ id, key }) => `${id}:${hashIp(key, ip)}`),
    contactHash: (address) =>
      createHmac('sha256', secrets.contactHashKey).update(address).digest('base64url'),
  };
}

type Boxes = Pick<Vault, 'boxPrefix' | 'encrypt' | 'encryptAlike' | 'decrypt'>;

function createBoxes({ encryptionKeys }: Secrets, derive: Vault['derive']): Boxes {
  const [current] = encryptionKeys;
  if (!current) throw new Error('the vault needs keys');
  const boxOf = (text: string, place: BoxPlace, iv: Buffer): string => {
    const cipher = createCipheriv('aes-256-gcm', current.key, iv);
    cipher.setAAD(bytesOf(place));
    const sealed = Buffer.concat([
      cipher.update(text, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]);
    return `${boxFormat}.${current.id}.${iv.toString('base64url')}.${sealed.toString('base64url')}`;
  };
  return {
    boxPrefix: `${boxFormat}.${current.id}.`,
    encrypt: (text, place) => boxOf(text, place, randomBytes(12)),
    encryptAlike(text, place) {
      const derived = Buffer.from(derive('iv', current.id, text, ...place), 'base64url');
      return boxOf(text, place, derived.subarray(0, 12));
    },
    decrypt(box, place) {
      const [format, id, iv, sealed] = box.split('.');
      const key = encryptionKeys.find((candidate) => candidate.id === id)?.key;
      if (format !== boxFormat || !key || !iv || !sealed) {
        throw new Error('cannot decrypt: unknown key');
      }
      const bytes = Buffer.from(sealed, 'base64url');
      // A box that was cut short must not be checked with less than a whole tag.
      const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), {
        authTagLength: 16,
      });
      decipher.setAAD(bytesOf(place));
      decipher.setAuthTag(bytes.subarray(-16));
      return Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]).toString();
    },
  };
}

function bytesOf(place: BoxPlace): Buffer {
  return Buffer.from(JSON.stringify(place));
}

/** Hash of a high-entropy token (API key, refresh token): nothing slower is needed for those. */
export function tokenHash(token: string): string {
  return hash('sha256', token);
}

/** Constant-time comparison of two texts of any length. */
export function sameText(a: string, b: string): boolean {
  return timingSafeEqual(
    createHash('sha256').update(a).digest(),
    createHash('sha256').update(b).digest(),
  );
}
