import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { ApprovalMode, ProgramTerms } from '../../rules/programs/terms';
import type { Mode } from '../../rules/values/mode';

/**
 * Partners of a programme under terms of their own; null is the programme's. The default one has the
 * programme's id and no terms. One that was deleted stays, since history and pinned terms name it.
 */
@Check('ck_program_groups_approval_mode', `approval_mode IN ('auto', 'manual')`)
@Check('ck_program_groups_mode', `mode IN ('test', 'live')`)
@Index('uq_program_group_name', ['programId', 'nameKey'], {
  unique: true,
  where: 'deleted_at IS NULL',
})
@Entity({ name: 'program_groups' })
export class ProgramGroup {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('text') name!: string;
  /** The name as it is compared. */
  @Column('text') nameKey!: string;
  @Column('text', { nullable: true }) description!: string | null;
  /** Replaced as a whole, with its own recurring. */
  @Column('jsonb', { nullable: true }) commission!: ProgramTerms | null;
  @Column('int', { nullable: true }) holdDays!: number | null;
  @Column('boolean', { nullable: true }) autoApprove!: boolean | null;
  @Column('boolean') publicApplications!: boolean;
  @Column('text', { nullable: true }) approvalMode!: ApprovalMode | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
