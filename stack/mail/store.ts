import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import PostalMime from 'postal-mime';

export interface CaughtMail {
  id: string;
  receivedAt: string;
  from: string;
  to: string[];
  subject: string;
  headers: { name: string; value: string }[];
  text: string;
  html: string;
}

const MAX_MAILS = 1_000;

/** The caught mails, newest first; the oldest are dropped when there are too many. */
export class MailStore {
  private mails: CaughtMail[] = [];

  constructor(private readonly file?: string) {}

  async load(): Promise<void> {
    if (!this.file || !existsSync(this.file)) return;
    const lines = (await readFile(this.file, 'utf8')).split('\n').filter(Boolean);
    this.mails = lines.flatMap(parseLine).reverse().slice(0, MAX_MAILS);
  }

  async add(raw: Buffer, recipients: string[]): Promise<void> {
    const parsed = await PostalMime.parse(raw);
    const mail: CaughtMail = {
      id: randomUUID(),
      receivedAt: new Date().toISOString(),
      from: parsed.from?.address ?? '',
      to: recipients,
      subject: parsed.subject ?? '',
      headers: parsed.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
      text: parsed.text ?? '',
      html: parsed.html ?? '',
    };
    this.mails = [mail, ...this.mails].slice(0, MAX_MAILS);
    if (this.file) await appendFile(this.file, `${JSON.stringify(mail)}\n`, { mode: 0o600 });
  }

  list(recipient?: string): CaughtMail[] {
    if (!recipient) return this.mails;
    const wanted = recipient.toLowerCase();
    return this.mails.filter((mail) => mail.to.some((to) => to.toLowerCase() === wanted));
  }

  find(id: string): CaughtMail | undefined {
    return this.mails.find((mail) => mail.id === id);
  }

  async clear(): Promise<void> {
    this.mails = [];
    if (this.file) await writeFile(this.file, '', { mode: 0o600 });
  }
}

/** The last line may be half written: a kill can come at any time. */
function parseLine(line: string): CaughtMail[] {
  try {
    return [JSON.parse(line) as CaughtMail];
  } catch {
    return [];
  }
}
