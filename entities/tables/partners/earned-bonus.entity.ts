import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { FigureMetric } from '../../rules/programs/figures';
import type { Mode } from '../../rules/values/mode';

/** A bonus that a participant has earned, which they do once, and by which figure: an edit changes nothing of it. */
@Check('ck_earned_bonuses_metric', `metric IN ('customers', 'conversions', 'revenue')`)
@Check('ck_earned_bonuses_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'earned_bonuses' })
export class EarnedBonus {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_earned_bonus' }) participantId!: string;
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_earned_bonus' }) bonusId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') commissionId!: string;
  @Column('text') metric!: FigureMetric;
  @Column('bigint') atLeast!: number;
  @Column('timestamptz', { nullable: true }) countsFrom!: Date | null;
  @Column('timestamptz', { nullable: true }) countsTo!: Date | null;
  @Column('timestamptz') earnedAt!: Date;
}
