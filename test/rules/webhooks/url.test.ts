import { bareHost, mustBeHttps, parseWebhookUrl } from '../../../entities/rules/webhooks/url';

describe('the form of a webhook URL (webhooks.md, URL)', () => {
  it.each([
    'https://example.com',
    'https://example.com/hooks?a=b#c',
    'http://example.com:80/',
    'https://example.com:443',
    'https://example.com:80',
    'http://example.com:443',
    'https://example.com:1024',
    'https://example.com/@name?@x#@y',
    'http://example.com:65535',
    'HTTPS://EXAMPLE.com/x',
    'https://bücher.example/',
    'https://[2606:4700::1111]/',
    'https://8.8.8.8:8443/',
    'https://example.com./',
    `https://example.com/${'a'.repeat(2_048 - 20)}`,
  ])('takes %s', (text) => {
    expect(parseWebhookUrl(text)).toMatchObject({ ok: true });
  });

  it.each([
    '',
    'example.com',
    '//example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'https:example.com',
    'https:/example.com',
    'https:///example.com',
    'https://',
    'https://?x',
    'https://user@example.com',
    'https://user:secret@example.com',
    'https://@example.com',
    'https://:@example.com',
    'https://example.com\\@evil.test',
    'https:\\\\example.com',
    ' https://example.com',
    'https://example.com/a b',
    'https://exam\tple.com',
    'https://example.com/\n',
    'https://example.com/\u0000',
    'https://example.com/\u007f',
    'https://example\u200b.com/',
    'https://example.com:0',
    'https://example.com:22',
    'https://example.com:25',
    'https://example.com:1023',
    'https://example.com:65536',
    'https://example.com:x',
    'https://[::1',
    'https://exa%00mple.com',
    'https://1.2.3.4.5',
    `https://example.com/${'a'.repeat(2_048 - 19)}`,
  ])('refuses %j', (text) => {
    expect(parseWebhookUrl(text)).toMatchObject({
      ok: false,
      message: expect.any(String) as string,
    });
  });

  it.each([
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f000001/', '127.0.0.1'],
    ['http://017700000001/', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://127.0.0.1./', '127.0.0.1'],
    ['http://１２７.0.0.1/', '127.0.0.1'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1'],
  ])('reads the host of %s as the parser that dials does', (text, host) => {
    const parsed = parseWebhookUrl(text);
    expect(parsed.ok && bareHost(parsed.url.hostname)).toBe(host);
  });

  it('asks for https in live mode only', () => {
    expect(mustBeHttps('live', new URL('http://example.com'))).toBe(true);
    expect(mustBeHttps('live', new URL('https://example.com'))).toBe(false);
    expect(mustBeHttps('test', new URL('http://example.com'))).toBe(false);
  });
});
