import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DecisionTrace } from '../../rules/attribution/conversion';
import type { FraudFacts } from '../../rules/fraud/fraud';
import type { Mode } from '../../rules/values/mode';

/** All that was looked at when a conversion was attributed, as it was then. */
@Entity({ name: 'attribution_decisions' })
export class AttributionDecision {
  @PrimaryColumn({ name: 'conversion_id', type: 'uuid' })
  conversionId!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ type: 'json' })
  trace!: DecisionTrace;

  /** What the fraud rules saw; null when there was no winner to judge. */
  @Column({ type: 'json', nullable: true })
  facts!: FraudFacts | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
