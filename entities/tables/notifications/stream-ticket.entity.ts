import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Side } from '../../rules/accounts/accounts';
import type { Mode } from '../../rules/values/mode';

/** Opens one stream, once. Spent and expired ones are deleted. */
@Check('ck_stream_tickets_mode', `mode IN ('test', 'live')`)
@Check('ck_stream_tickets_side', `side IN ('merchant', 'partner')`)
@Entity({ name: 'stream_tickets' })
export class StreamTicket {
  @PrimaryColumn('text') ticketHash!: string;
  @Column('text') side!: Side;
  @Column('text') mode!: Mode;
  @Column('uuid') accountId!: string;
  @Column('uuid') sessionId!: string;
  @Column('timestamptz') tokenExpiresAt!: Date;
  @Column('timestamptz') expiresAt!: Date;
}
