import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Bonus } from '../../rules/programs/bonuses';
import type { Mode } from '../../rules/values/mode';

/** What partners of a programme earn once, by a figure. A programme without a row has none. */
@Check('ck_program_bonuses_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'program_bonuses' })
export class ProgramBonuses {
  @PrimaryColumn('uuid') programId!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('jsonb') bonuses!: Bonus[];
  @Column('timestamptz') updatedAt!: Date;
}
