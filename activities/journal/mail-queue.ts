import { newId } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import type { MailType } from '../../entities/rules/mail/mail';
import type { Scope } from '../../entities/rules/values/mode';
import { execute, type Tx } from '../../entities/database/sql';
import { enqueue, noWorkspace } from './outbox';

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
  const row = rowOf(mail);
  await execute(
    tx,
    `INSERT INTO mails (id, type, side, account_id, recipient, workspace_id, mode, params, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      row.id,
      row.type,
      row.side,
      row.account_id,
      row.recipient,
      row.workspace_id,
      row.mode,
      JSON.stringify(row.params),
      row.created_at,
    ],
  );
  await enqueue(tx, {
    topic: 'mail',
    ref: row.id,
    workspaceId: mail.scope?.workspaceId,
    payload: { type: mail.type, ...(mail.scope ? { mode: mail.scope.mode } : {}) },
    availableAt: mail.at,
  });
  return row.id;
}

/** As queueMail, for the many mails that a batch of events may lead to. */
export async function queueMails(tx: Tx, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map(rowOf);
  await execute(
    tx,
    `WITH queued AS (
       INSERT INTO mails (id, type, side, account_id, recipient, workspace_id, mode, params,
              created_at)
       SELECT r.id, r.type, r.side, r.account_id, r.recipient, r.workspace_id, r.mode, r.params,
              r.created_at
         FROM json_to_recordset($1) AS r(id uuid, type text, side text, account_id uuid,
              recipient text, workspace_id uuid, mode text, params jsonb, created_at timestamptz)
       RETURNING id, type, workspace_id, mode, created_at)
     INSERT INTO outbox (topic, ref, payload, workspace_id, available_at)
     SELECT 'mail', id, jsonb_strip_nulls(jsonb_build_object('type', type, 'mode', mode)),
            coalesce(workspace_id, $2), created_at
       FROM queued ORDER BY id`,
    [JSON.stringify(rows), noWorkspace],
  );
}

function rowOf({ type, to, scope, params, at }: NewMail) {
  return {
    id: newId(),
    type,
    side: to.side ?? null,
    account_id: 'accountId' in to ? to.accountId : null,
    recipient: 'address' in to ? to.address : null,
    workspace_id: scope?.workspaceId ?? null,
    mode: scope?.mode ?? null,
    params: params ?? {},
    created_at: at,
  };
}
