import { Check, Entity, PrimaryColumn } from 'typeorm';

/** A programme or participant that a reset takes, kept while something of it may be left. */
@Check('ck_test_data_reset_targets_kind', `kind IN ('program', 'participant', 'partner')`)
@Entity({ name: 'test_data_reset_targets' })
export class TestDataResetTarget {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_test_data_reset_targets' })
  resetId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_test_data_reset_targets' }) kind!:
    | 'program'
    | 'participant'
    | 'partner';
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_test_data_reset_targets' })
  targetId!: string;
}
