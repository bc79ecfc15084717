import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { FigureMetric } from '../../rules/programs/figures';
import type { TierStep } from '../../rules/programs/tiers';
import type { Mode } from '../../rules/values/mode';

/**
 * The tiers of a programme: the figure from which on a partner is in each group. A programme
 * without a row has no steps.
 */
@Check('ck_program_tiers_metric', `metric IN ('customers', 'conversions', 'revenue')`)
@Check('ck_program_tiers_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'program_tiers' })
export class ProgramTiers {
  @PrimaryColumn('uuid') programId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('text') metric!: FigureMetric;
  @Column('jsonb') steps!: TierStep[];
  @Column('timestamptz') updatedAt!: Date;
}
