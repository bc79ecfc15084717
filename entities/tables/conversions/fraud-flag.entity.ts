import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { FraudAction, FraudFlagState, FraudRule, FraudValue } from '../../rules/fraud/fraud';
import type { Mode } from '../../rules/values/mode';

/** A fraud rule that hit a conversion. */
@Check('ck_fraud_flags_action', `action IN ('flag', 'hold', 'reject')`)
@Check('ck_fraud_flags_state', `state IN ('open', 'confirmed', 'dismissed')`)
@Unique('uq_fraud_flag', ['conversionId', 'rule'])
@Entity({ name: 'fraud_flags' })
export class FraudFlag {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  @Column({ name: 'conversion_id', type: 'uuid' })
  conversionId!: string;

  @Column({ type: 'text' })
  rule!: FraudRule;

  @Column({ type: 'text' })
  action!: FraudAction;

  @Column({ type: 'json' })
  value!: FraudValue;

  @Column({ type: 'bigint', nullable: true })
  threshold!: number | null;

  @Column({ type: 'text' })
  state!: FraudFlagState;

  /** What the member wrote who resolved it. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  @Column({ name: 'resolved_at', type: 'timestamptz', nullable: true })
  resolvedAt!: Date | null;

  @Column({ name: 'occurred_at', type: 'timestamptz' })
  occurredAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
