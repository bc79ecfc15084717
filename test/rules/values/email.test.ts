import { emailOf, normaliseEmail } from '../../../entities/rules/values/email';

describe('an e-mail address', () => {
  it.each([
    ['  Mia@Example.COM ', 'mia@example.com'],
    ['\u200bmia@example.com\ufeff', 'mia@example.com'],
    ['mia.@docomo.ne.jp', 'mia.@docomo.ne.jp'],
    ['mia..lee@ezweb.ne.jp', 'mia..lee@ezweb.ne.jp'],
    ['"Mia Lee"@example.com', '"mia lee"@example.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ["o'brien+shop@example.co.uk", "o'brien+shop@example.co.uk"],
    ['info@M\u00dcNCHEN.de', 'info@xn--mnchen-3ya.de'],
    ['info@mu\u0308nchen.de', 'info@xn--mnchen-3ya.de'],
    ['info@XN--MNCHEN-3YA.de', 'info@xn--mnchen-3ya.de'],
    ['info@\u4f8b\u3048\u3002\u30c6\u30b9\u30c8', 'info@xn--r8jz45g.xn--zckzah'],
    ['andre\u0301@example.com', 'andr\u00e9@example.com'],
    ['ANDR\u00c9@example.com', 'andr\u00e9@example.com'],
  ])('%j is kept as %j, and so is what is kept', (text, kept) => {
    expect(emailOf(text)).toBe(kept);
    expect(emailOf(kept)).toBe(kept);
    expect(normaliseEmail(text)).toBe(kept);
  });

  it.each([
    '',
    'mia',
    '@example.com',
    'mia@',
    'mia@example',
    '.mia@example.com',
    'mia lee@example.com',
    'mi\u200ba@example.com',
    'mia@exa mple.com',
    'mia@example..com',
    'mia@-example.com',
    'mia@example.com.',
    'mia@[127.0.0.1]',
    'mia@1.2.3.4',
    'mia@m\u00fcnchen/x.de',
    'mia@m\u00fcnchen:80.de',
    '"mia\r\n"@example.com',
    '"mia"lee"@example.com',
    'a@b@example.com',
    'mia <mia@example.com>',
    `${'x'.repeat(320)}@example.com`,
    `mia@${'x'.repeat(64)}.com`,
  ])('%j is none', (text) => {
    expect(emailOf(text)).toBeUndefined();
  });
});
