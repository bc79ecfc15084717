import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Biller } from '../../rules/billing/biller';
import type { Mode } from '../../rules/values/mode';

/**
 * A workspace's connection to a biller in one mode; secrets are encrypted by the vault. Tables of billers
 * are called as the first release knows them, which read Stripe alone.
 */
@Check('ck_stripe_connections_biller', `biller IN ('stripe', 'paddle', 'polar')`)
@Check('ck_stripe_connections_invoice_payments', `invoice_payments IN ('missing', 'sent')`)
@Check('ck_stripe_connections_mode', `mode IN ('test', 'live')`)
@Index('uq_biller_connection', ['workspaceId', 'mode', 'biller'], {
  unique: true,
  where: `deleted_at IS NULL`,
})
@Entity({ name: 'stripe_connections' })
export class BillerConnection {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') biller!: Biller;
  @Column('text', { nullable: true }) restrictedKey!: string | null;
  /** Shows whether a key is the one that is stored, without decrypting. */
  @Column('text', { nullable: true }) keyFingerprint!: string | null;
  @Column('text', { nullable: true }) webhookSecret!: string | null;
  /** The endpoint that we registered at the biller, by its id there. */
  @Column('text', { nullable: true }) registeredEndpointId!: string | null;
  /** While a request registers it: others wait for its outcome. */
  @Column('timestamptz', { nullable: true }) registeringSince!: Date | null;
  @Column('text', { nullable: true }) lastError!: string | null;
  /** When it may read at the biller next. */
  @Column('timestamptz', { nullable: true }) nextReadAt!: Date | null;
  /** Whether invoice_payment.paid comes, which new-shape invoices need to be joined to their charges. */
  @Column('text', { nullable: true }) invoicePayments!: 'missing' | 'sent' | null;
  /** When its endpoint was last compared with what we ask for, and its waiting events were told. */
  @Column('timestamptz', { nullable: true }) keptAt!: Date | null;
  /** Events that the biller made since then are still to be taken in; null: none. */
  @Column('timestamptz', { nullable: true }) catchUpSince!: Date | null;
  /** Where the reading of its lists goes on. */
  @Column('text', { nullable: true }) catchUpAfter!: string | null;
  /** When the reading of its lists began that is under way. */
  @Column('timestamptz', { nullable: true }) readBeganAt!: Date | null;
  /** The time from which on its lists have to be read the next time: the last whole reading began then. */
  @Column('timestamptz', { nullable: true }) readUntil!: Date | null;
  /** When its list of disputes was last read, of a biller that tells of none. */
  @Column('timestamptz', { nullable: true }) disputesReadAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
