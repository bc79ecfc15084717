import { createMailActivities } from '../../../activities/mail/activities';
import { createMailServer } from '../../../activities/mail/server';
import type { Deps } from '../../../runtime/process/deps';
import { query } from '../../../entities/database/sql';
import type { CaughtMail } from '../../../stack/mail/store';

/** Sends what is queued and due, as the workflow would, and tells what became of each mail, oldest first. */
export async function deliverQueued(deps: Deps): Promise<string[]> {
  const server = createMailServer(deps);
  const { sendMail } = createMailActivities(deps, server);
  const mails = await query<{ id: string }>(
    deps.db.manager,
    `SELECT id FROM mails WHERE status = 'queued' AND created_at <= $1 ORDER BY created_at, id`,
    [deps.clock.now()],
  );
  const outcomes: string[] = [];
  for (const { id } of mails) outcomes.push((await sendMail({ mailId: id })).status);
  server.mailer.close();
  return outcomes;
}

/** The mails that the catcher took for an address, newest first. */
export async function mailsTo(address: string): Promise<CaughtMail[]> {
  const base = process.env['TEST_MAIL_API_URL'] ?? '';
  const url = `${base}/api/messages?to=${encodeURIComponent(address)}`;
  return (await (await fetch(url)).json()) as CaughtMail[];
}

/** The newest mail to an address of which the subject holds these words. */
export async function mailTo(address: string, words: string): Promise<CaughtMail> {
  const mail = (await mailsTo(address)).find(({ subject }) => subject.includes(words));
  if (!mail) throw new Error(`no mail "${words}" to ${address}`);
  return mail;
}

/** The token of the link in a mail. */
export function tokenIn(text: string): string {
  const token = /[?&]token=([\w.-]+)/.exec(text)?.[1];
  if (token === undefined) throw new Error('the mail has no link with a token');
  return token;
}
