import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { startMailCatcher, type MailCatcher } from '../../stack/mail/catcher';
import type { CaughtMail } from '../../stack/mail/store';
import { claimAnyPort } from '../../stack/parts/ports';

const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'affiliate-mail-')), 'mails.jsonl');
let catcher: MailCatcher;

async function start(): Promise<MailCatcher> {
  const [smtpPort, httpPort] = [await claimAnyPort(), await claimAnyPort()];
  return startMailCatcher({ smtpPort, httpPort, file });
}

async function listMails(to?: string): Promise<CaughtMail[]> {
  const query = to ? `?to=${encodeURIComponent(to)}` : '';
  return (await (await fetch(`${catcher.url}/api/messages${query}`)).json()) as CaughtMail[];
}

async function send(to: string, subject: string, body: string): Promise<void> {
  const transport = createTransport(catcher.smtpUrl);
  const html = '<p>Hello <b>you</b></p><script>alert(1)</script>';
  await transport.sendMail({ from: 'shop@example.com', to, subject, text: body, html });
  transport.close();
}

beforeAll(async () => {
  catcher = await start();
  await send('ava@example.com', 'First <b>', 'Hello you');
  await send('mira@example.com', 'Second', 'Open (http://app.test/verify?a=1&b=2).');
});

afterAll(() => catcher.stop());

describe('the mail catcher', () => {
  it('lists mails, newest first, and those to one address', async () => {
    expect((await listMails()).map(({ subject }) => subject)).toEqual(['Second', 'First <b>']);
    expect((await listMails('AVA@example.com')).map(({ to }) => to)).toEqual([['ava@example.com']]);
  });

  it('gives a mail with its parts and headers, and 404 for an unknown one', async () => {
    const [listed] = await listMails('ava@example.com');

    const response = await fetch(`${catcher.url}/api/messages/${listed?.id}`);
    const mail = (await response.json()) as CaughtMail;

    expect(mail.text).toContain('Hello you');
    expect(mail.html).toContain('<b>you</b>');
    expect(mail.headers.map(({ name }) => name)).toContain('Subject');
    expect((await fetch(`${catcher.url}/api/messages/nothing`)).status).toBe(404);
  });

  it('shows pages on which nothing of a mail runs', async () => {
    const [mail] = await listMails('ava@example.com');

    const list = await (await fetch(catcher.url)).text();
    const html = await fetch(`${catcher.url}/messages/${mail?.id}/html`);

    expect(list).toContain('First &lt;b&gt;');
    expect(html.headers.get('content-security-policy')).toContain("script-src 'none'");
  });

  it('opens the links of a mail in tabs that run their scripts', async () => {
    const [mail] = await listMails('mira@example.com');

    const shown = await (await fetch(`${catcher.url}/messages/${mail?.id}`)).text();
    const html = await fetch(`${catcher.url}/messages/${mail?.id}/html`);

    const address = 'http://app.test/verify?a=1&amp;b=2';
    expect(shown).toContain(
      `(<a href="${address}" target="_blank" rel="noreferrer">${address}</a>).`,
    );
    expect(shown).toMatch(/<iframe sandbox="[^"]*allow-popups-to-escape-sandbox/);
    const policy = html.headers.get('content-security-policy');
    expect(policy).toMatch(/sandbox [^;]*allow-popups-to-escape-sandbox/);
    expect(policy).not.toContain('allow-scripts');
  });

  it('still has the mails after a restart, until they are deleted', async () => {
    await catcher.stop();
    catcher = await start();
    expect(await listMails()).toHaveLength(2);

    await fetch(`${catcher.url}/api/messages`, { method: 'DELETE' });

    expect(await listMails()).toEqual([]);
  });
});
