import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { PayoutProviderName } from '../../rules/payouts/providers';

/** The account at a provider from which a workspace pays in one mode; the secret is encrypted by the vault. */
@Check('ck_payout_connections_mode', `mode IN ('test', 'live')`)
@Unique('uq_payout_connection', ['workspaceId', 'mode', 'provider'])
@Entity({ name: 'payout_connections' })
export class PayoutConnection {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') provider!: PayoutProviderName;
  @Column('text') clientId!: string;
  @Column('text') clientSecret!: string;
  /** Why the provider refuses us, until it does not any more. */
  @Column('text', { nullable: true }) lastError!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
