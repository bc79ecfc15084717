import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FraudSettings } from '../../rules/fraud/fraud';
import type { Mode } from '../../rules/values/mode';

/** What a merchant has set of the fraud rules of a programme, by rule; the rest is the default. */
@Entity({ name: 'program_fraud_rules' })
export class ProgramFraudRules {
  @PrimaryColumn({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'jsonb' })
  rules!: Partial<FraudSettings>;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
