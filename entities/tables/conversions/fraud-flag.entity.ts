import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { FraudAction, FraudFlagState, FraudRule, FraudValue } from '../../rules/fraud/fraud';
import type { Mode } from '../../rules/values/mode';

/** A fraud rule that hit a conversion. */
@Check('ck_fraud_flags_action', `action IN ('flag', 'hold', 'reject')`)
@Check('ck_fraud_flags_state', `state IN ('open', 'confirmed', 'dismissed')`)
@Unique('uq_fraud_flag', ['conversionId', 'rule'])
@Entity({ name: 'fraud_flags' })
export class FraudFlag {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('uuid') conversionId!: string;
  @Column('text') rule!: FraudRule;
  @Column('text') action!: FraudAction;
  @Column('json') value!: FraudValue;
  @Column('bigint', { nullable: true }) threshold!: number | null;
  @Column('text') state!: FraudFlagState;
  /** What the member wrote who resolved it. */
  @Column('text', { nullable: true }) note!: string | null;
  @Column('timestamptz', { nullable: true }) resolvedAt!: Date | null;
  @Column('timestamptz') occurredAt!: Date;
  @Column('timestamptz') createdAt!: Date;
}
