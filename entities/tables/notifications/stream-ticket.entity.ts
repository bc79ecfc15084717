import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';
import type { Mode } from '../../rules/values/mode';

/** Opens one stream, once. Spent and expired ones are deleted. */
@Check('ck_stream_tickets_mode', `mode IN ('test', 'live')`)
@Check('ck_stream_tickets_side', `side IN ('merchant', 'partner')`)
@Entity({ name: 'stream_tickets' })
export class StreamTicket {
  @PrimaryColumn({ name: 'ticket_hash', type: 'text' })
  ticketHash!: string;

  @Column({ type: 'text' })
  side!: Side;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'account_id', type: 'uuid' })
  accountId!: string;

  @Column({ name: 'session_id', type: 'uuid' })
  sessionId!: string;

  @Column({ name: 'token_expires_at', type: 'timestamptz' })
  tokenExpiresAt!: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;
}
