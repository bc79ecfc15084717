import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A return of the database to an earlier moment; no payout goes on until somebody releases them. */
@Entity({ name: 'restores' })
export class Restore {
  @PrimaryColumn({
    name: 'restored_to',
    type: 'timestamptz',
    primaryKeyConstraintName: 'pk_restores',
  })
  restoredTo!: Date;

  @Column({ name: 'noted_at', type: 'timestamptz' })
  notedAt!: Date;

  @Column({ name: 'payouts_released_at', type: 'timestamptz', nullable: true })
  payoutsReleasedAt!: Date | null;
}
