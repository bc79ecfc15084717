import { createMailer, mustEncrypt } from '../../../runtime/connections/mailer';

describe('the mailer', () => {
  const mailer = createMailer({
    // No server listens there: what is refused never gets so far.
    smtpUrl: 'smtp://127.0.0.1:1',
    smtpConnections: 2,
    mailFrom: 'Shop <shop@example.test>',
    mailReplyTo: undefined,
    production: false,
  });
  const mail = {
    messageId: 'm1',
    to: 'a@example.test',
    subject: 'Hi',
    html: '<p>Hi</p>',
    text: 'Hi',
  };

  it.each([
    { subject: 'Hi\r\nBcc: victim@example.test' },
    { subject: 'Hi\nBcc: victim@example.test' },
    { to: 'a@example.test\r\nBcc: victim@example.test' },
    { messageId: 'm1>\r\nBcc: victim@example.test' },
    { unsubscribeUrl: 'https://example.test/\r\nBcc: victim@example.test' },
  ])('refuses a line end in a header for good: %j', async (change) => {
    expect(await mailer.send({ ...mail, ...change })).toBe('refused');
  });

  it.each([
    ['smtp://mail.example:587', true, true],
    ['smtp://localhost.example', true, true],
    ['smtp://127.0.0.1:1025', true, false],
    ['smtp://[::1]:1025', true, false],
    ['smtp://localhost', true, false],
    ['smtp://mail.example:587', false, false],
  ])('requires TLS towards %s in production: %s', (smtpUrl, production, expected) => {
    expect(mustEncrypt({ smtpUrl, production })).toBe(expected);
  });

  it('throws while the server is away, for another attempt', async () => {
    await expect(mailer.send(mail)).rejects.toThrow();
  });
});
