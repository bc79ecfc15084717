import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { BindingSource } from '../../rules/customers/binding';
import type { Mode } from '../../rules/values/mode';

/** What says whose a customer is: a sign-up, a sale, an import, or a member; the history follows from all. */
@Check(
  'ck_customer_bindings_source',
  `source IN ('signup', 'conversion', 'stripe', 'paddle', 'polar', 'import', 'manual')`,
)
@Check('ck_customer_bindings_partner', `(participant_id IS NULL) = (program_id IS NULL)`)
@Unique('uq_customer_binding_payment', ['customer', 'paymentId'])
@Entity({ name: 'customer_bindings' })
export class CustomerBinding {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  /** The row in `customers`. */
  @Column('uuid') customer!: string;
  /** Null where a member took the binding away. */
  @Column('uuid', { nullable: true }) participantId!: string | null;
  @Column('uuid', { nullable: true }) programId!: string | null;
  @Column('text') source!: BindingSource;
  /** When it happened: of several the first binds. */
  @Column('timestamptz') boundAt!: Date;
  /** The time of the first payment that it speaks for. */
  @Column('timestamptz') speaksFrom!: Date;
  /** Where an import binds: the old system has dealt with what was paid until then. */
  @Column('timestamptz', { nullable: true }) cutover!: Date | null;
  /** Where an import binds: the first payment over there. */
  @Column('timestamptz', { nullable: true }) firstPaidAt!: Date | null;
  /** The payment that binds, where a sale does: it follows from the facts, as its credit does. */
  @Column('uuid', { nullable: true }) paymentId!: string | null;
  /** How a sign-up was attributed, as it is answered. */
  @Column('json', { nullable: true }) attribution!: object | null;
  /** Why a member bound or unbound them, in their words. */
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz') createdAt!: Date;
}
