import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type {
  AttributionReason,
  ConversionSource,
  MatchKind,
} from '../../rules/attribution/attribute';
import type { ConversionItem, ConversionMetadata } from '../../rules/attribution/conversion';
import type { Mode } from '../../rules/values/mode';

/** A purchase with the outcome of its attribution, which follows all facts that are known of it. */
@Check('ck_conversions_amount', `amount_cents >= 0`)
@Check('ck_conversions_attributed', `attributed = (reason = 'ATTRIBUTED')`)
@Check('ck_conversions_mode', `mode IN ('test', 'live')`)
@Check('ck_conversions_source', `source IN ('api', 'stripe', 'paddle', 'polar', 'import')`)
@Entity({ name: 'conversions' })
export class Conversion {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') externalTransactionId!: string;
  @Column('text') source!: ConversionSource;
  @Column('text') eventType!: string;
  @Column('bigint') amountCents!: number;
  @Column('text', { nullable: true }) currency!: string | null;
  @Column('timestamptz') occurredAt!: Date;
  /** The click id as it was reported; any text. */
  @Column('text', { nullable: true }) clickId!: string | null;
  /** The code as it is stored where it was found, else as it was reported. */
  @Column('text', { nullable: true }) promoCode!: string | null;
  /** Keyed hash of the buyer's address. */
  @Column('text', { nullable: true }) prospectHash!: string | null;
  @Column('text', { nullable: true }) customerId!: string | null;
  @Column('json', { nullable: true }) metadata!: ConversionMetadata | null;
  @Column('jsonb', { nullable: true }) items!: ConversionItem[] | null;
  @Column('boolean') attributed!: boolean;
  /** The first attributed payment of its customer, or a sale of nobody known: it won a customer. */
  @Column('boolean') newCustomer!: boolean;
  @Column('text') reason!: AttributionReason;
  @Column('text') explanation!: string;
  @Column('text', { nullable: true }) matchedBy!: MatchKind | null;
  @Column('uuid', { nullable: true }) programId!: string | null;
  @Column('uuid', { nullable: true }) participantId!: string | null;
  @Column('uuid', { nullable: true }) linkId!: string | null;
  @Column('timestamptz', { nullable: true }) windowEndsAt!: Date | null;
  @Column({ type: 'bigint', insert: false }) refundedAmountCents!: number;
  /** The credit that the row says, in short; null for one that an earlier release decided. */
  @Column('text', { nullable: true }) creditedAs!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
