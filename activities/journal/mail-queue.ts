import { newId } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { MailType } from '../../entities/rules/mail/mail';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, query, type Tx } from '../../entities/database/sql';
import { enqueue } from './outbox';

export interface NewMail {
  type: MailType;
  /** An account (its address is read when the mail is sent), or an address that may have none. */
  to: { side: Side; accountId: string } | { address: string; side?: Side };
  /** The workspace and mode that it belongs to; absent for account mails, which are always sent. */
  scope?: Scope;
  /** What its template shows: ids, names, amounts, reasons. Never a token: those are derived. */
  params?: object;
  at: Date;
}

/**
 * Writes a mail in the transaction of its cause; the workflow `mail/<id>` renders and sends it
 * after the commit. Returns the mail's id.
 */
export async function queueMail(tx: Tx, mail: NewMail): Promise<string> {
  const id = newId();
  const accountId = 'accountId' in mail.to ? mail.to.accountId : null;
  const address = 'address' in mail.to ? mail.to.address : null;
  await execute(
    tx,
    `INSERT INTO mails (id, type, side, account_id, recipient, workspace_id, mode, params, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      id,
      mail.type,
      mail.to.side ?? null,
      accountId,
      address,
      mail.scope?.workspaceId ?? null,
      mail.scope?.mode ?? null,
      JSON.stringify(mail.params ?? {}),
      mail.at,
    ],
  );
  await enqueue(tx, {
    topic: 'mail',
    ref: id,
    workspaceId: mail.scope?.workspaceId,
    payload: { type: mail.type, ...(mail.scope ? { mode: mail.scope.mode } : {}) },
    availableAt: mail.at,
  });
  return id;
}

/**
 * One security mail to each admin and owner of a workspace (docs/reference/notifications.md, Mail).
 */
export async function queueSecurityMails(
  tx: Tx,
  workspaceId: string,
  mail: Pick<NewMail, 'type' | 'params' | 'at'>,
): Promise<void> {
  const recipients = await query<{ id: string }>(
    tx,
    `SELECT id FROM merchant_accounts
     WHERE workspace_id = $1 AND role IN ('admin', 'owner') AND removed_at IS NULL ORDER BY id`,
    [workspaceId],
  );
  for (const { id } of recipients) {
    await queueMail(tx, { ...mail, to: { side: 'merchant', accountId: id } });
  }
}
