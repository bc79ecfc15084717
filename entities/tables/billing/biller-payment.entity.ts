import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoredSale, StoredVerdict } from '../../rules/payments/sale';
import type { Mode } from '../../rules/values/mode';

/** One payment at Stripe: what joins its session, invoice, payment intent and charges. */
@Entity({ name: 'stripe_payments' })
export class BillerPayment {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
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
