import type { Mode } from '../../entities/rules/values/mode';
import type { Side } from '../../entities/rules/accounts/accounts';
import { execute, queryOne, type Db } from '../../entities/database/sql';
import { newOpaqueToken } from '../runtime/crypto/tokens';
import { tokenHash } from '../runtime/crypto/vault';

/** What a ticket stands for: the credential with which it was asked for. */
export interface TicketHolder {
  side: Side;
  accountId: string;
  sessionId: string;
  mode: Mode;
  tokenExpiresAt: Date;
}

const lifetimeMs = 60_000;

/** A credential for one stream, for clients that cannot send a header. Only its hash is stored. */
export async function issueTicket(
  db: Db,
  holder: TicketHolder,
  now: Date,
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
  { ticket, side }: { ticket: string; side: Side },
  now: Date,
): Promise<TicketHolder | undefined> {
  return queryOne<TicketHolder>(
    db,
    `DELETE FROM stream_tickets WHERE ticket_hash = $1 AND side = $2 AND expires_at > $3
     RETURNING side, mode, account_id AS "accountId", session_id AS "sessionId",
       token_expires_at AS "tokenExpiresAt"`,
    [tokenHash(ticket), side, now],
  );
}
