import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A return of the database to an earlier moment; no payout goes on until somebody releases them. */
@Entity({ name: 'restores' })
export class Restore {
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'pk_restores' }) restoredTo!: Date;
  @Column('timestamptz') notedAt!: Date;
  @Column('timestamptz', { nullable: true }) payoutsReleasedAt!: Date | null;
}
