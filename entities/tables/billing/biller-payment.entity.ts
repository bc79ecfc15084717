import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredSale, StoredVerdict } from '../../rules/payments/sale';
import type { Biller } from '../../rules/billing/biller';
import type { Mode } from '../../rules/values/mode';

/** One payment at a biller: what joins the objects that tell of it. */
@Check('ck_stripe_payments_biller', `biller IN ('stripe', 'paddle', 'polar')`)
@Entity({ name: 'stripe_payments' })
export class BillerPayment {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') biller!: Biller;
  /** Null while no conversion was made or reported of it. */
  @Column('uuid', { nullable: true }) conversionId!: string | null;
  @Column('text', { nullable: true }) subscriptionId!: string | null;
  @Column('text', { nullable: true }) customerId!: string | null;
  /** When money came in, by Stripe's time; null while none has. */
  @Column('timestamptz', { nullable: true }) paidAt!: Date | null;
  /** The buyer's row in `customers`, where anything names one. */
  @Column('uuid', { nullable: true }) customer!: string | null;
  /** What its objects say for its credit; null for one of an earlier release. */
  @Column('jsonb', { nullable: true }) sale!: StoredSale | null;
  /** What its own signals lead to, as of when they were told. */
  @Column('jsonb', { nullable: true }) verdict!: StoredVerdict | null;
  @Column('timestamptz') createdAt!: Date;
}
