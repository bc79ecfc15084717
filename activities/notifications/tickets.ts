import { insertAll } from '../../entities/database/insert-all';
import type { Side } from '../../entities/rules/accounts/accounts';
import { selectList } from '../../entities/database/columns';
import { queryOne, type Db } from '../../entities/database/sql';
import { StreamTicket } from '../../entities/tables/notifications/stream-ticket.entity';
import type { Cause } from '../journal/cause';
import { newOpaqueToken } from '../../runtime/crypto/tokens';
import { tokenHash } from '../../runtime/crypto/vault';
import { minuteMs } from '../../entities/rules/values/duration';

const holderFields = ['side', 'mode', 'accountId', 'sessionId', 'tokenExpiresAt'] as const;

/** What a ticket stands for: the credential with which it was asked for. */
export type TicketHolder = Pick<StreamTicket, (typeof holderFields)[number]>;

/** A credential for one stream, for clients that cannot send a header. Only its hash is stored. */
export async function issueTicket(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  holder: TicketHolder,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = newOpaqueToken();
  const expiresAt = new Date(now.getTime() + minuteMs);
  const { side, mode, accountId, sessionId, tokenExpiresAt } = holder;
  const row = { side, mode, accountId, sessionId, tokenExpiresAt, expiresAt };
  await insertAll(db, {
    into: StreamTicket,
    rows: [{ ticketHash: tokenHash(ticket), ...row }],
  });
  return { ticket, expiresAt };
}

/** Uses a ticket up. Undefined for one that is unknown, spent, expired or of the other side. */
export async function spendTicket(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  { ticket, side }: { ticket: string; side: Side },
): Promise<TicketHolder | undefined> {
  return queryOne<TicketHolder>(
    db,
    `DELETE FROM stream_tickets AS t WHERE ticket_hash = $1 AND side = $2 AND expires_at > $3
     RETURNING ${selectList(StreamTicket, 't', holderFields)}`,
    [tokenHash(ticket), side, now],
  );
}
