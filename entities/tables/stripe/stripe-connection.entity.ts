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
export class StripeConnection {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'restricted_key', type: 'text', nullable: true })
  restrictedKey!: string | null;

  /** Shows whether a key is the one that is stored, without decrypting. */
  @Column({ name: 'key_fingerprint', type: 'text', nullable: true })
  keyFingerprint!: string | null;

  @Column({ name: 'webhook_secret', type: 'text', nullable: true })
  webhookSecret!: string | null;

  /** The endpoint that we registered at Stripe, `we_...`. */
  @Column({ name: 'registered_endpoint_id', type: 'text', nullable: true })
  registeredEndpointId!: string | null;

  /** While a request registers it: others wait for its outcome. */
  @Column({ name: 'registering_since', type: 'timestamptz', nullable: true })
  registeringSince!: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError!: string | null;

  /** When it may read at Stripe next. */
  @Column({ name: 'next_read_at', type: 'timestamptz', nullable: true })
  nextReadAt!: Date | null;

  /** Whether invoice_payment.paid comes, which new-shape invoices need to be joined to their charges. */
  @Column({ name: 'invoice_payments', type: 'text', nullable: true })
  invoicePayments!: 'missing' | 'sent' | null;

  /** When its endpoint was last compared with what we ask for, and its waiting events were told. */
  @Column({ name: 'kept_at', type: 'timestamptz', nullable: true })
  keptAt!: Date | null;

  /** Events that Stripe made since then are still to be taken in; null: none. */
  @Column({ name: 'catch_up_since', type: 'timestamptz', nullable: true })
  catchUpSince!: Date | null;

  /** Stripe's id of the last event that was; its list begins with the newest. */
  @Column({ name: 'catch_up_after', type: 'text', nullable: true })
  catchUpAfter!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
