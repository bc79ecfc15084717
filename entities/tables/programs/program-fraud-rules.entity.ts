import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FraudSettings } from '../../rules/fraud/fraud';
import type { Mode } from '../../rules/values/mode';

/** What a merchant has set of the fraud rules of a programme, by rule; the rest is the default. */
@Entity({ name: 'program_fraud_rules' })
export class ProgramFraudRules {
  @PrimaryColumn('uuid') programId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('jsonb') rules!: Partial<FraudSettings>;
  @Column('timestamptz') updatedAt!: Date;
}
