import { Mail } from '../../entities/tables/mail/mail.entity';
import { update } from '../../entities/database/update';
import { MailDigest } from '../../entities/tables/mail/mail-digest.entity';
import { insertAll } from '../../entities/database/insert-all';
import { digesting, isDigestible } from '../../entities/rules/mail/digest';
import { execute, queryOne, type Tx } from '../../entities/database/sql';
import { queueMail } from '../journal/mail-queue';
import { count, lockCounter, readCounter } from './counts';
import type { MailRow } from './rows';

/**
 * Adds a mail to the digest of its type when its recipient has reached the limit of single ones;
 * true when it did. The digest is a mail of its own that is due when its window is over.
 */
export async function collect(tx: Tx, mail: MailRow, now: Date): Promise<boolean> {
  const { id: mailId, type, side, accountId } = mail;
  if (!isDigestible(type) || side === null || accountId === null) return false;
  const counter = counterOf({ type, accountId });
  await lockCounter(tx, counter);
  const { counted, seen } = await readCounter(tx, { counter, ...digesting }, { mailId, now });
  // A mail that was counted and is still not sent goes on as it began: an attempt failed.
  if (seen) return false;
  await count(tx, counter, { mailId, now });

  const open = await openDigest(tx, mail);
  if (open === undefined && counted < digesting.max) return false;
  const digestId = open ?? (await startDigest(tx, { ...mail, side, accountId }, now));
  const set = { status: 'digested', digestId, finishedAt: now } as const;
  await update(tx, Mail, { set, where: { id: mailId } });
  return true;
}

/** Closes a digest, which is about to be sent: it takes no more mails from now on. */
export async function closeDigest(tx: Tx, digest: MailRow, now: Date): Promise<void> {
  const { id, accountId, params } = digest;
  if (!params.of || accountId === null) return;
  await lockCounter(tx, counterOf({ type: params.of, accountId }));
  await execute(
    tx,
    'UPDATE mail_digests SET closed_at = $2 WHERE mail_id = $1 AND closed_at IS NULL',
    [id, now],
  );
}

function counterOf({ type, accountId }: { type: string; accountId: string }): string {
  return `person/${type}/${accountId}`;
}

async function openDigest(tx: Tx, { accountId, type }: MailRow): Promise<string | undefined> {
  const row = await queryOne<{ id: string }>(
    tx,
    `SELECT mail_id AS id FROM mail_digests
     WHERE account_id = $1 AND type = $2 AND closed_at IS NULL`,
    [accountId, type],
  );
  return row?.id;
}

type Collected = MailRow & { side: NonNullable<MailRow['side']>; accountId: string };

async function startDigest(tx: Tx, { type, side, accountId }: Collected, now: Date) {
  const due = new Date(now.getTime() + digesting.windowMs);
  const digestId = await queueMail(tx, {
    type: 'digest',
    to: { side, accountId },
    params: { of: type },
    at: due,
  });
  await insertAll(tx, { into: MailDigest, rows: [{ mailId: digestId, accountId, type }] });
  return digestId;
}
