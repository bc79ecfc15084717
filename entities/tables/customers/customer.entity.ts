import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { BindingSource } from '../../rules/customers/binding';
import type { FirstPayments } from '../../rules/payments/sale';
import type { Mode } from '../../rules/values/mode';

/** A buyer as a merchant knows them, and who brought them. */
@Check('ck_customers_mode', `mode IN ('test', 'live')`)
@Check(
  'ck_customers_source',
  `source IN ('signup', 'conversion', 'stripe', 'paddle', 'polar', 'import', 'manual')`,
)
@Check('ck_customers_bound', `(participant_id IS NULL) = (program_id IS NULL)`)
@Unique('uq_customer', ['workspaceId', 'mode', 'customerId'])
@Entity({ name: 'customers' })
export class Customer {
  @PrimaryColumn('uuid') id!: string;
  @Column({ type: 'uuid', update: false }) workspaceId!: string;
  @Column({ type: 'text', update: false }) mode!: Mode;
  /** The merchant's id of them, or Stripe's. */
  @Column('text') customerId!: string;
  /** Null while nobody is known to have brought them. */
  @Column('uuid', { nullable: true }) participantId!: string | null;
  @Column('uuid', { nullable: true }) programId!: string | null;
  /** What bound them; of one who is not bound `manual` when a member took the binding away. */
  @Column('text', { nullable: true }) source!: BindingSource | null;
  /** When they came by the partner; of one who is not bound, when a member took the binding away. */
  @Column('timestamptz', { nullable: true }) boundAt!: Date | null;
  /** Their first attributed payment, refunded or not: recurring terms count their months from it. */
  @Column('timestamptz', { nullable: true }) firstPaidAt!: Date | null;
  /** The same by programme. */
  @Column('jsonb') firstPayments!: FirstPayments;
  /** The last payment that is known of them, attributed or not. */
  @Column('timestamptz', { nullable: true }) lastPaidAt!: Date | null;
  /** How a sign-up was attributed, as it is answered; null for what else bound them. */
  @Column('json', { nullable: true }) attribution!: object | null;
  /** Why a member bound them, in their words. */
  @Column('text', { nullable: true }) reason!: string | null;
  @Column({ type: 'timestamptz', update: false }) createdAt!: Date;
}
