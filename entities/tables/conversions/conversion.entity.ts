import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  AttributionReason,
  ConversionSource,
  SignalKind,
} from '../../rules/attribution/attribute';
import type { ConversionMetadata } from '../../rules/attribution/conversion';
import type { Mode } from '../../rules/values/mode';

/** A reported purchase with the outcome of its attribution. Never changes, save for what was refunded. */
@Check('ck_conversions_amount', `amount_cents >= 0`)
@Check('ck_conversions_attributed', `attributed = (reason = 'ATTRIBUTED')`)
@Check('ck_conversions_mode', `mode IN ('test', 'live')`)
@Check('ck_conversions_source', `source IN ('api', 'stripe')`)
@Entity({ name: 'conversions' })
export class Conversion {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'external_transaction_id', type: 'text' })
  externalTransactionId!: string;

  @Column({ type: 'text' })
  source!: ConversionSource;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  @Column({ name: 'amount_cents', type: 'bigint' })
  amountCents!: number;

  @Column({ type: 'text', nullable: true })
  currency!: string | null;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt!: Date;

  /** As reported; any text. */
  @Column({ name: 'click_id', type: 'text', nullable: true })
  clickId!: string | null;

  /** As stored when it was found, else as reported. */
  @Column({ name: 'promo_code', type: 'text', nullable: true })
  promoCode!: string | null;

  /** Keyed hash of the buyer's address. */
  @Column({ name: 'prospect_hash', type: 'text', nullable: true })
  prospectHash!: string | null;

  @Column({ name: 'customer_id', type: 'text', nullable: true })
  customerId!: string | null;

  @Column({ type: 'json', nullable: true })
  metadata!: ConversionMetadata | null;

  @Column({ type: 'boolean' })
  attributed!: boolean;

  /** The first attributed payment of its customer, or a sale of nobody known: it won a customer. */
  @Column({ name: 'new_customer', type: 'boolean' })
  newCustomer!: boolean;

  @Column({ type: 'text' })
  reason!: AttributionReason;

  @Column({ type: 'text' })
  explanation!: string;

  @Column({ name: 'matched_by', type: 'text', nullable: true })
  matchedBy!: SignalKind | null;

  @Column({ name: 'program_id', type: 'uuid', nullable: true })
  programId!: string | null;

  @Column({ name: 'participant_id', type: 'uuid', nullable: true })
  participantId!: string | null;

  @Column({ name: 'link_id', type: 'uuid', nullable: true })
  linkId!: string | null;

  @Column({ name: 'window_ends_at', type: 'timestamptz', nullable: true })
  windowEndsAt!: Date | null;

  @Column({ name: 'refunded_amount_cents', type: 'bigint', insert: false })
  refundedAmountCents!: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
