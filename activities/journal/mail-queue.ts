import { newId } from '../../entities/ids';
import type { Side } from '../../entities/rules/accounts/accounts';
import { mailTopic, noticeMailTypes, type MailType } from '../../entities/rules/mail/mail';
import type { Scope } from '../../entities/rules/values/mode';
import { insertAll } from '../../entities/database/insert-all';
import { listed } from '../../entities/database/moving';
import { execute, type Tx } from '../../entities/database/sql';
import { Mail } from '../../entities/tables/mail/mail.entity';
import { enqueueAll, enqueueSql, type OutboxItem } from './outbox';

export interface NewMail {
  type: MailType;
  /** An account (its address is read when the mail is sent), or an address that may have none. */
  to: { side: Side; accountId: string } | { address: string; side?: Side };
  /** The workspace and mode that it belongs to; absent for account mails, which are always sent. */
  scope?: Scope;
  /** What its template shows: ids, names, amounts, reasons. Never a token: those are derived. */
  params?: object;
  requestId?: string | undefined;
  at: Date;
}

/**
 * Writes a mail in the transaction of its cause; the relay renders and sends it after the commit, and
 * the workflow `mail/<id>` when that failed. Returns the mail's id.
 */
export async function queueMail(tx: Tx, mail: NewMail): Promise<string> {
  const [id = ''] = await queueMails(tx, [mail]);
  return id;
}

/** The same for many mails; their ids in the same order. */
export async function queueMails(tx: Tx, mails: readonly NewMail[]): Promise<string[]> {
  const rows = mails.map(rowOf);
  await insertAll(tx, { into: Mail, rows });
  const work = rows.map((row, place) => ({ ...workOf(row), requestId: mails[place]?.requestId }));
  await enqueueAll(tx, work);
  return rows.map(({ id }) => id);
}

type MailRow = ReturnType<typeof rowOf>;

function rowOf({ type, to, scope, params = {}, at }: NewMail) {
  return {
    id: newId(),
    type,
    side: to.side ?? null,
    accountId: 'accountId' in to ? to.accountId : null,
    recipient: 'address' in to ? to.address : null,
    workspaceId: scope?.workspaceId ?? null,
    mode: scope?.mode ?? null,
    params: params as Record<string, unknown>,
    createdAt: at,
  };
}

function workOf({ id, type, mode, workspaceId, createdAt }: MailRow): OutboxItem {
  const payload = { type, ...(mode === null ? {} : { mode }) };
  return { topic: mailTopic(type), ref: id, workspaceId, payload, availableAt: createdAt };
}

/**
 * The relay's work for mails that are written already: `from` gives their rows as `m`. A lost one may be
 * on its way all the same: its workflow tries it, of which there is one.
 */
export function mailWorkSql(from: string, availableAt: string, { lost = false } = {}): string {
  return enqueueSql({
    topic: {
      column: `CASE WHEN m.type IN (${listed(noticeMailTypes)}) THEN 'notice_mail' ELSE 'mail' END`,
    },
    ref: 'm.id',
    payload: `jsonb_strip_nulls(jsonb_build_object('type', m.type, 'mode', m.mode${lost ? `, 'lost', true` : ''}))`,
    workspaceId: 'm.workspace_id',
    availableAt,
    from,
  });
}

/**
 * Takes work for mails that are over out of the outbox. It has no index by mail: what is over has
 * waited longest, and is looked for among the first of each topic.
 */
export function forgetOverMails(tx: Tx, { first }: { first: number }): Promise<number> {
  return execute(
    tx,
    `WITH front AS MATERIALIZED (
       SELECT o.topic, o.id, o.ref FROM unnest(ARRAY['mail', 'notice_mail']) AS t (topic)
        CROSS JOIN LATERAL (SELECT w.topic, w.id, w.ref FROM outbox w
                             WHERE w.topic = t.topic ORDER BY w.id LIMIT $1) AS o
     ), over AS MATERIALIZED (
       SELECT o.topic, o.id FROM front JOIN outbox o ON o.topic = front.topic AND o.id = front.id
        WHERE NOT EXISTS (SELECT 1 FROM mails m WHERE m.id = front.ref AND m.status = 'queued')
          FOR UPDATE OF o SKIP LOCKED)
     DELETE FROM outbox o USING over WHERE o.topic = over.topic AND o.id = over.id`,
    [first],
  );
}
