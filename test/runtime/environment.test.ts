import { readEnvironment } from '../../activities/runtime/process/config';

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

  it('asks for all secrets in production', () => {
    expect(() => readEnvironment({ NODE_ENV: 'production' })).toThrow('JWT_PRIVATE_KEYS');
  });
});
