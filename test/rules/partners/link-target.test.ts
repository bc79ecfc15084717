import {
  isTargetAllowed,
  parseWebUrl,
  referralUrl,
} from '../../../entities/rules/partners/link-target';

describe('web addresses', () => {
  it.each([
    'https://shop.example',
    'http://shop.example:8080/a/b?c=d#e',
    'HTTPS://Shop.Example/Straße',
    'http://localhost:4000/',
    'https://127.0.0.1/',
    'https://shop.example/?q=!~¡',
    `https://shop.example/${'a'.repeat(2_027)}`,
  ])('accepts %s', (text) => {
    expect(parseWebUrl(text)).toBeInstanceOf(URL);
  });

  it.each([
    '',
    'shop.example',
    '/path',
    '//shop.example',
    'https:shop.example',
    'https:///shop.example',
    'https://',
    'ftp://shop.example',
    'javascript:alert(1)',
    'https://user@shop.example',
    'https://user:pass@shop.example',
    'https://shop.example/a b',
    'https://shop.example\\@evil.example',
    'https://shop.exam\tple',
    'https://shop.example/\n',
    'https://shop.example/a\u007fb',
    'https://shop.example/a\u00a0b',
    `https://shop.example/${'a'.repeat(2_028)}`,
    // The parser drops the point and the steps, so that it is short enough only then.
    `https://shop.example/${'./'.repeat(1_014)}`,
    // One letter is three more once it is escaped.
    `https://shop.example/${'a'.repeat(2_022)}ü`,
    `https://shop.example/${'ü'.repeat(1_000)}`,
    'https://shop.example:99999',
  ])('refuses %j', (text) => {
    expect(parseWebUrl(text)).toBeUndefined();
  });
});

describe('link targets', () => {
  it.each([
    ['https://shop.example/a', 'https://shop.example', true],
    ['http://SHOP.example:8080/a', 'https://shop.example', true],
    ['https://www.shop.example', 'https://shop.example', true],
    ['https://a.b.shop.example.', 'https://shop.example/', true],
    ['https://shop.example', 'https://www.shop.example', false],
    ['https://evilshop.example', 'https://shop.example', false],
    ['https://shop.example.evil.test', 'https://shop.example', false],
    ['https://example', 'https://shop.example', false],
  ])('%s for the website %s: %s', (target, website, expected) => {
    expect(isTargetAllowed(new URL(target), new URL(website))).toBe(expected);
  });
});

describe('referral addresses', () => {
  it.each([
    ['https://shop.example', 'https://shop.example?ref=abc'],
    ['https://shop.example/', 'https://shop.example/?ref=abc'],
    ['https://shop.example/?', 'https://shop.example/?ref=abc'],
    ['https://shop.example/?a=b%20c&d', 'https://shop.example/?a=b%20c&d&ref=abc'],
    ['https://shop.example/#top', 'https://shop.example/?ref=abc#top'],
    ['https://shop.example/?a=1#x?ref=kept', 'https://shop.example/?a=1&ref=abc#x?ref=kept'],
    ['https://shop.example/?ref=old&a=1', 'https://shop.example/?a=1&ref=abc'],
    ['https://shop.example/?ref', 'https://shop.example/?ref=abc'],
    ['https://shop.example/?%72ef=old', 'https://shop.example/?ref=abc'],
    ['https://shop.example/?preref=1&%ZZ=2', 'https://shop.example/?preref=1&%ZZ=2&ref=abc'],
  ])('%s becomes %s', (target, expected) => {
    expect(referralUrl(target, 'abc')).toBe(expected);
  });
});
