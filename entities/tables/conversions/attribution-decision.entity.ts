import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { DecisionTrace } from '../../rules/attribution/conversion';
import type { FraudFacts } from '../../rules/fraud/fraud';
import type { Mode } from '../../rules/values/mode';

/** All that was considered when a conversion was attributed, as it was then. */
@Entity({ name: 'attribution_decisions' })
export class AttributionDecision {
  @PrimaryColumn('uuid') conversionId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('json') trace!: DecisionTrace;
  /** What the fraud rules saw; null when there was no winner to judge. */
  @Column('json', { nullable: true }) facts!: FraudFacts | null;
  @Column('timestamptz') createdAt!: Date;
}
