import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { BindingSource } from '../../rules/customers/binding';
import type { Mode } from '../../rules/values/mode';

/** A buyer as a merchant knows them, and who brought them. */
@Check('ck_customers_mode', `mode IN ('test', 'live')`)
@Check('ck_customers_source', `source IN ('signup', 'conversion', 'stripe', 'import', 'manual')`)
@Check('ck_customers_bound', `(participant_id IS NULL) = (program_id IS NULL)`)
@Unique('uq_customer', ['workspaceId', 'mode', 'customerId'])
@Entity({ name: 'customers' })
export class Customer {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid', update: false })
  workspaceId!: string;

  @Column({ type: 'text', update: false })
  mode!: Mode;

  /** The merchant's id of them, or Stripe's. */
  @Column({ name: 'customer_id', type: 'text' })
  customerId!: string;

  /** Null while nobody is known to have brought them. */
  @Column({ name: 'participant_id', type: 'uuid', nullable: true })
  participantId!: string | null;

  @Column({ name: 'program_id', type: 'uuid', nullable: true })
  programId!: string | null;

  /** What bound them; of one who is not bound `manual` when a member took the binding away. */
  @Column({ type: 'text', nullable: true })
  source!: BindingSource | null;

  /** When they came by the partner; of one who is not bound, when a member took the binding away. */
  @Column({ name: 'bound_at', type: 'timestamptz', nullable: true })
  boundAt!: Date | null;

  /** Their first attributed payment, refunded or not: recurring terms count their months from it. */
  @Column({ name: 'first_paid_at', type: 'timestamptz', nullable: true })
  firstPaidAt!: Date | null;

  /** How a sign-up was attributed, as it is answered; null for what else bound them. */
  @Column({ type: 'json', nullable: true })
  attribution!: object | null;

  /** Why a member bound them, in their words. */
  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz', update: false })
  createdAt!: Date;
}
