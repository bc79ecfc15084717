import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A workspace's connection to Stripe in one mode; secrets are encrypted by the vault. */
@Check('ck_stripe_connections_invoice_payments', `invoice_payments IN ('missing', 'sent')`)
@Check('ck_stripe_connections_mode', `mode IN ('test', 'live')`)
@Index('uq_stripe_connection', ['workspaceId', 'mode'], {
  unique: true,
  where: `deleted_at IS NULL`,
})
@Entity({ name: 'stripe_connections' })
export class BillerConnection {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text', { nullable: true }) restrictedKey!: string | null;
  /** Shows whether a key is the one that is stored, without decrypting. */
  @Column('text', { nullable: true }) keyFingerprint!: string | null;
  @Column('text', { nullable: true }) webhookSecret!: string | null;
  /** The endpoint that we registered at Stripe, `we_...`. */
  @Column('text', { nullable: true }) registeredEndpointId!: string | null;
  /** While a request registers it: others wait for its outcome. */
  @Column('timestamptz', { nullable: true }) registeringSince!: Date | null;
  @Column('text', { nullable: true }) lastError!: string | null;
  /** When it may read at Stripe next. */
  @Column('timestamptz', { nullable: true }) nextReadAt!: Date | null;
  /** Whether invoice_payment.paid comes, which new-shape invoices need to be joined to their charges. */
  @Column('text', { nullable: true }) invoicePayments!: 'missing' | 'sent' | null;
  /** When its endpoint was last compared with what we ask for, and its waiting events were told. */
  @Column('timestamptz', { nullable: true }) keptAt!: Date | null;
  /** Events that Stripe made since then are still to be taken in; null: none. */
  @Column('timestamptz', { nullable: true }) catchUpSince!: Date | null;
  /** Stripe's id of the last event that was; its list begins with the newest. */
  @Column('text', { nullable: true }) catchUpAfter!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
