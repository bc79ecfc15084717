import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadConfig, readEnvironment } from '../../../runtime/config/config';
import { generateSecrets, requireSigningKeys } from '../../../runtime/config/secrets';

const secrets = generateSecrets();

describe('the environment', () => {
  it('has a default for everything', () => {
    expect(readEnvironment({}).PORT).toBe(4000);
  });

  it.each([
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['TEMPORAL_ADDRESS', 'temporal.example'],
    ['TEMPORAL_ADDRESS', 'temporal.example:99999'],
    ['REQUIRE_HTTPS', 'perhaps'],
    ['TRUSTED_PROXIES', 'proxy.example'],
    ['TRUSTED_PROXIES', '127.0.0.1,10.0.0.0/33'],
    ['CORS_ORIGINS', 'app.example'],
    ['CORS_ORIGINS', 'https://app.example/'],
    ['WAITLIST_ORIGINS', '*'],
    ['MAIL_FROM', 'nobody'],
    ['WEBHOOK_RETRY_SCHEDULE', '0s,soon'],
    ['JWT_PRIVATE_KEYS', '[]'],
    ['ENCRYPTION_KEYS', 'k1:c2hvcnQ='],
    ['IP_HASH_KEYS', 'unnamed'],
    ['CONTACT_HASH_KEY', 'c2hvcnQ='],
    ['EMAIL_WEBHOOK_SECRET', 'whsec_no base64'],
    ['EMAIL_WEBHOOK_SECRET', 'whsec_a'],
    ['EMAIL_WEBHOOK_SECRET', 'whsec_c2hvcnQ='],
    ['NODE_ENV', 'prod'],
    ['NODE_ENV', 'Production'],
    ['NODE_ENV', 'production '],
    ['JWT_PRIVATE_KEYS', `[${[1, 2].map(() => secrets.JWT_PRIVATE_KEYS.slice(1, -1)).join(',')}]`],
    ['ENCRYPTION_KEYS', `${secrets.ENCRYPTION_KEYS},${secrets.IP_HASH_KEYS}`],
    ['IP_HASH_KEYS', `${secrets.ENCRYPTION_KEYS},${secrets.IP_HASH_KEYS}`],
  ])('refuses %s=%s in one sentence that names it', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(
      new RegExp(`^The environment variable ${name} is not valid: [^\n]+$`),
    );
  });

  it.each([
    ['TRUSTED_PROXIES', '127.0.0.1, ::1,10.0.0.0/8,fd00::/8', 4],
    ['CORS_ORIGINS', 'https://app.example,http://localhost:3000,capacitor://localhost', 3],
  ] as const)('takes %s=%s', (name, value, length) => {
    expect(readEnvironment({ [name]: value })[name]).toHaveLength(length);
  });

  describe('in production', () => {
    const optional = ['NODE_ENV', 'JWT_PRIVATE_KEYS', 'EMAIL_WEBHOOK_SECRET'];
    const good = {
      NODE_ENV: 'production',
      DATABASE_URL: 'postgres://app@db.example/app',
      PUBLIC_BASE_URL: 'https://api.example',
      REDIS_URL: 'redis://redis.example:6379',
      TEMPORAL_ADDRESS: 'temporal.example:7233',
      SMTP_URL: 'smtp://mail.example:587',
      MAIL_FROM: 'Affiliates <noreply@example.com>',
      ...secrets,
    };

    it('starts with what is given, and keeps its admin port where it is', () => {
      expect(loadConfig(good)).toMatchObject({ requireHttps: true, adminPortMayMove: false });
    });

    it('leaves the schema to the deploy step, unless it is asked to migrate', () => {
      expect(loadConfig(good).migrateAtStart).toBe(false);
      expect(loadConfig({ ...good, MIGRATE_AT_START: 'true' }).migrateAtStart).toBe(true);
      expect(loadConfig(secrets).migrateAtStart).toBe(true);
    });

    it.each(Object.keys(good).filter((name) => !optional.includes(name)))(
      'asks for %s, and starts with nothing of the local stack',
      (name) => {
        expect(() => readEnvironment({ ...good, [name]: '' })).toThrow(
          `In production the environment must set ${name}.`,
        );
      },
    );

    it('asks the API alone for keys that sign', () => {
      const worker = loadConfig({ ...good, JWT_PRIVATE_KEYS: '' });
      expect(worker.secrets.jwtKeys).toEqual([]);
      expect(() => requireSigningKeys(worker.secrets)).toThrow('must set JWT_PRIVATE_KEYS');
      expect(() => requireSigningKeys(loadConfig(good).secrets)).not.toThrow();
    });

    it('asks for every variable whose default leads to this machine', () => {
      const local = Object.entries(readEnvironment({}))
        .filter(([, value]) => /127\.0\.0\.1:|localhost/.test(String(value)))
        .map(([name]) => name);
      expect(local).toEqual([
        'DATABASE_URL',
        'REDIS_URL',
        'TEMPORAL_ADDRESS',
        'SMTP_URL',
        'MAIL_FROM',
      ]);
      expect(Object.keys(good)).toEqual(expect.arrayContaining(local));
    });

    it('wants clients to call it over https', () => {
      const plain = { ...good, PUBLIC_BASE_URL: 'http://api.example' };
      expect(() => readEnvironment(plain)).toThrow('PUBLIC_BASE_URL is not valid');
    });
  });

  it('sends an API key for Temporal over TLS only', () => {
    const key = { TEMPORAL_API_KEY: 'key' };
    expect(loadConfig({ ...secrets, ...key }).temporal.tls).toBe(true);
    expect(loadConfig(secrets).temporal.tls).toBe(false);
    expect(() => readEnvironment({ ...key, TEMPORAL_TLS: 'false' })).toThrow(
      'TEMPORAL_TLS is not valid',
    );
  });

  it('reads certificates for Temporal, and wants both or none', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
    const pem = path.join(folder, 'some.pem');
    writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n');
    const own = { TEMPORAL_TLS_CERT: pem, TEMPORAL_TLS_KEY: pem, TEMPORAL_TLS_CA: pem };
    const text = readFileSync(pem);
    expect(loadConfig({ ...secrets, ...own }).temporal.tls).toEqual({
      serverRootCACertificate: text,
      clientCertPair: { crt: text, key: text },
    });
    expect(() => loadConfig({ ...secrets, TEMPORAL_TLS_CERT: pem })).toThrow(
      'together, or neither',
    );
    const missing = { ...own, TEMPORAL_TLS_KEY: path.join(folder, 'none.pem') };
    expect(() => loadConfig({ ...secrets, ...missing })).toThrow('TEMPORAL_TLS_KEY is not valid');
    const none = path.join(folder, 'none.txt');
    writeFileSync(none, 'a key');
    expect(() => loadConfig({ ...secrets, TEMPORAL_TLS_CA: none })).toThrow('PEM');
  });

  it('shows its admin port to its own machine only', () => {
    expect(loadConfig({ ...secrets, HOST: '0.0.0.0' }).adminHost).toBe('127.0.0.1');
  });
});
