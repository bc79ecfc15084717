import { isMailType } from '../../entities/rules/mail/mail';
import { wantsMail, type Choice } from '../../entities/rules/notifications/preferences';
import { notificationSpec } from '../../entities/rules/notifications/types';
import { hasRole, type Role } from '../../entities/rules/values/roles';
import { query, type Tx } from '../../entities/database/sql';
import type { Cause } from '../journal/cause';
import { queueMails, type NewMail } from '../journal/mail-queue';
import type { Notice } from './notice';

interface Recipient {
  accountId: string;
  /** The workspace, or the partner. */
  feedId: string;
  /** Null for a partner. */
  role: Role | null;
  choices: Choice[];
}

/** A mail of each notice to everyone who sees it and wants mails of its category. */
export async function queueNoticeMails(
  tx: Tx,
  { now }: Pick<Cause, 'now'>,
  notices: readonly Notice[],
): Promise<void> {
  const recipients = await readRecipients(tx, notices);
  const mails = notices.flatMap((notice) =>
    (recipients.get(notice.feedId) ?? [])
      .filter((recipient) => isMailedTo(notice, recipient))
      .flatMap((recipient) => mailOf(notice, recipient, now)),
  );
  await queueMails(tx, mails);
}

function isMailedTo(notice: Notice, recipient: Recipient): boolean {
  const { side, type, memberId } = notice;
  const { category, audience } = notificationSpec(side, type);
  if (notice.isMailed === false) return false;
  if (memberId !== undefined && memberId !== recipient.accountId) return false;
  if (audience === 'admins' && recipient.role && !hasRole(recipient.role, 'admin')) return false;
  const choice = recipient.choices.find((one) => one.category === category);
  return isMailType(type) && wantsMail(side, type, choice?.email);
}

function mailOf(notice: Notice, { accountId }: Recipient, at: Date): NewMail[] {
  const { side, type, mode, workspaceId, mailTo } = notice;
  const happenedAt = notice.at?.toISOString();
  if (!isMailType(type)) return [];
  const mail = {
    type,
    to: mailTo === undefined ? { side, accountId } : { side, address: mailTo },
    ...(mode === 'both' || workspaceId === null ? {} : { scope: { workspaceId, mode } }),
    params: { ...notice.data, ...notice.facts, ...(happenedAt && { happenedAt }) },
    at,
  };
  return [mail];
}

/** Who reads the feeds, with what they chose: the active members, and the partners themselves. */
async function readRecipients(
  tx: Tx,
  notices: readonly Notice[],
): Promise<Map<string, Recipient[]>> {
  const idsOf = (side: Notice['side']): string[] => [
    ...new Set(notices.filter((notice) => notice.side === side).map(({ feedId }) => feedId)),
  ];
  const rows = await query<Recipient>(
    tx,
    `SELECT a.id AS "accountId", a.feed_id AS "feedId", a.role,
            coalesce(p.choices, '[]') AS choices
       FROM (SELECT id, workspace_id AS feed_id, role FROM merchant_accounts
              WHERE workspace_id = ANY($1) AND removed_at IS NULL
              UNION ALL
             SELECT id, id, NULL FROM partner_accounts
              WHERE id = ANY($2) AND erased_at IS NULL) AS a
       LEFT JOIN LATERAL (
         SELECT json_agg(json_build_object('category', category, 'inApp', in_app, 'email', email))
                AS choices
           FROM notification_preferences WHERE account_id = a.id) AS p ON true
      ORDER BY a.id`,
    [idsOf('merchant'), idsOf('partner')],
  );
  const byFeed = new Map<string, Recipient[]>();
  for (const row of rows) byFeed.set(row.feedId, [...(byFeed.get(row.feedId) ?? []), row]);
  return byFeed;
}
