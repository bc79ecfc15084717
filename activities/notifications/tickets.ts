import type { Side } from '../../entities/rules/accounts/accounts';
import { selectList } from '../../entities/database/columns';
import { execute, queryOne, type Db } from '../../entities/database/sql';
import { StreamTicket } from '../../entities/tables/notifications/stream-ticket.entity';
import type { Cause } from '../journal/cause';
import { newOpaqueToken } from '../../runtime/crypto/tokens';
import { tokenHash } from '../../runtime/crypto/vault';

const holderFields = ['side', 'mode', 'accountId', 'sessionId', 'tokenExpiresAt'] as const;

/** What a ticket stands for: the credential with which it was asked for. */
export type TicketHolder = Pick<StreamTicket, (typeof holderFields)[number]>;

const lifetimeMs = 60_000;

/** A credential for one stream, for clients that cannot send a header. Only its hash is stored. */
export async function issueTicket(
  db: Db,
  { now }: Pick<Cause, 'now'>,
  holder: TicketHolder,
): Promise<{ ticket: string; expiresAt: Date }> {
  const ticket = newOpaqueToken();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  await execute(
    db,
    `INSERT INTO stream_tickets (ticket_hash, side, mode, account_id, session_id,
            token_expires_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      tokenHash(ticket),
      holder.side,
      holder.mode,
      holder.accountId,
      holder.sessionId,
      holder.tokenExpiresAt,
      expiresAt,
    ],
  );
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
