import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from './config-error';

interface NamedKey {
  id: string;
  key: Buffer;
}

export interface PrivateJwk {
  kid: string;
  kty: string;
  crv: string;
  x: string;
  d: string;
}

export interface Secrets {
  /** The first signs, all verify; none in a process that is not the API. */
  jwtKeys: PrivateJwk[];
  /** The first encrypts, all decrypt. */
  encryptionKeys: NamedKey[];
  /** The first hashes, all are compared. */
  ipHashKeys: NamedKey[];
  contactHashKey: Buffer;
  /** Undefined: inbound mail-provider events are refused. */
  emailWebhookSecret: string | undefined;
}

const names = [
  'JWT_PRIVATE_KEYS',
  'ENCRYPTION_KEYS',
  'IP_HASH_KEYS',
  'CONTACT_HASH_KEY',
  'EMAIL_WEBHOOK_SECRET',
] as const;
type SecretName = (typeof names)[number];
type SecretSource = Partial<Record<SecretName, string | undefined>> & { STACK_DIR: string };

/** What no other process needs, and therefore none has to be given. */
const ofApi: readonly SecretName[] = ['JWT_PRIVATE_KEYS', 'EMAIL_WEBHOOK_SECRET'];

/** Throws when there is no key to sign access tokens with, which the API alone has to have. */
export function requireSigningKeys({ jwtKeys }: Pick<Secrets, 'jwtKeys'>): void {
  if (jwtKeys.length > 0) return;
  throw new ConfigError('In production the environment of the API must set JWT_PRIVATE_KEYS.');
}

/** Throws for secrets that are malformed or, in production, missing; makes none. */
export function checkSecrets(env: SecretSource, production: boolean): void {
  const required = missingIn(env).filter((name) => !ofApi.includes(name));
  if (production && required.length > 0) {
    throw new ConfigError(`In production the environment must set ${required.join(', ')}.`);
  }
  if (env.JWT_PRIVATE_KEYS !== undefined) parseJwks(env.JWT_PRIVATE_KEYS);
  if (env.ENCRYPTION_KEYS !== undefined) parseKeys('ENCRYPTION_KEYS', env.ENCRYPTION_KEYS);
  if (env.IP_HASH_KEYS !== undefined) parseKeys('IP_HASH_KEYS', env.IP_HASH_KEYS);
  if (env.CONTACT_HASH_KEY !== undefined) parseKey('CONTACT_HASH_KEY', env.CONTACT_HASH_KEY);
  if (env.EMAIL_WEBHOOK_SECRET !== undefined) checkWebhookSecret(env.EMAIL_WEBHOOK_SECRET);
}

function missingIn(env: SecretSource): SecretName[] {
  return names.filter((name) => env[name] === undefined);
}

/** Reads the secrets; outside production what is missing is generated once under STACK_DIR. */
export function loadSecrets(env: SecretSource, production: boolean): Secrets {
  const missing = missingIn(env);
  const generated = missing.length > 0 && !production ? localSecrets(env.STACK_DIR) : {};
  const value = (name: SecretName): string => env[name] ?? generated[name] ?? '';
  return {
    jwtKeys: value('JWT_PRIVATE_KEYS') === '' ? [] : parseJwks(value('JWT_PRIVATE_KEYS')),
    encryptionKeys: parseKeys('ENCRYPTION_KEYS', value('ENCRYPTION_KEYS')),
    ipHashKeys: parseKeys('IP_HASH_KEYS', value('IP_HASH_KEYS')),
    contactHashKey: parseKey('CONTACT_HASH_KEY', value('CONTACT_HASH_KEY')),
    emailWebhookSecret: value('EMAIL_WEBHOOK_SECRET') || undefined,
  };
}

function localSecrets(stackDir: string): Partial<Record<SecretName, string>> {
  const file = join(stackDir, 'secrets.json');
  if (!existsSync(file)) writeOnce(stackDir, file, JSON.stringify(generateSecrets(), null, 2));
  return JSON.parse(readFileSync(file, 'utf8')) as Partial<Record<SecretName, string>>;
}

/** Two processes may start at once: link() lets exactly one file win, whole. */
function writeOnce(dir: string, file: string, content: string): void {
  mkdirSync(dir, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
}

export function generateSecrets(): Record<SecretName, string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: randomBytes(6).toString('hex') };
  const named = (): string => `k1:${randomBytes(32).toString('base64')}`;
  return {
    JWT_PRIVATE_KEYS: JSON.stringify([jwk]),
    ENCRYPTION_KEYS: named(),
    IP_HASH_KEYS: named(),
    CONTACT_HASH_KEY: randomBytes(32).toString('base64'),
    EMAIL_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  };
}

function parseJwks(text: string): PrivateJwk[] {
  const bad = new ConfigError(
    'The environment variable JWT_PRIVATE_KEYS is not valid: it must be a JSON array of private Ed25519 JWKs with kid.',
  );
  let keys: unknown;
  try {
    keys = JSON.parse(text);
  } catch {
    throw bad;
  }
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isPrivateJwk)) throw bad;
  refuseDoubles(
    'JWT_PRIVATE_KEYS',
    keys.map(({ kid }) => kid),
  );
  return keys;
}

/** Refuses two keys of one name: one would sign or encrypt, and the other be believed. */
function refuseDoubles(name: string, ids: string[]): void {
  if (new Set(ids).size === ids.length) return;
  throw new ConfigError(`The environment variable ${name} is not valid: two keys have one id.`);
}

const minSecretBytes = 24;

function checkWebhookSecret(secret: string): void {
  const bytes = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  if (bytes.length >= minSecretBytes) return;
  throw new ConfigError(
    `The environment variable EMAIL_WEBHOOK_SECRET is not valid: it must be at least ${minSecretBytes} bytes in base64.`,
  );
}

function isPrivateJwk(key: unknown): key is PrivateJwk {
  const { kid, crv, d, x } = (key ?? {}) as Partial<PrivateJwk>;
  return (
    crv === 'Ed25519' && [kid, d, x].every((part) => typeof part === 'string' && part.length > 0)
  );
}

function parseKeys(name: string, text: string): NamedKey[] {
  const keys = text.split(',').map((entry) => {
    const separator = entry.indexOf(':');
    const id = entry.slice(0, separator).trim();
    if (separator < 1 || !/^[\w-]{1,32}$/.test(id)) {
      throw new ConfigError(`The environment variable ${name} is not valid: use id:base64,...`);
    }
    return { id, key: parseKey(name, entry.slice(separator + 1)) };
  });
  refuseDoubles(
    name,
    keys.map(({ id }) => id),
  );
  return keys;
}

function parseKey(name: string, base64: string): Buffer {
  const key = Buffer.from(base64.trim(), 'base64');
  if (key.length !== 32) {
    throw new ConfigError(
      `The environment variable ${name} is not valid: a key must be 32 bytes in base64.`,
    );
  }
  return key;
}
