import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Actor } from '../../rules/values/actor';
import type { ErasureKind, ErasureStatus } from '../../rules/erasure/erasure';

/** An erasure: ids only, kept for ever, so that it can be replayed on a restored backup. */
@Index('uq_erasure_subject', ['kind', 'subjectId'], {
  unique: true,
  where: `status <> 'cancelled'`,
})
@Check('ck_erasures_kind', `kind IN ('account', 'participant')`)
@Check('ck_erasures_status', `status IN ('locked', 'anonymised', 'completed', 'cancelled')`)
@Entity({ name: 'erasures' })
export class Erasure {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') kind!: ErasureKind;
  /** A partner account or a participant. */
  @Column('uuid') subjectId!: string;
  @Column('text') status!: ErasureStatus;
  @Column('text') requestedByType!: Actor['type'];
  @Column('uuid', { nullable: true }) requestedById!: string | null;
  /** The confirmation. */
  @Column('uuid', { nullable: true }) mailId!: string | null;
  /** The time from which on the subject counts as erased. */
  @Column('timestamptz') erasedAt!: Date;
  @Column('timestamptz', { nullable: true }) completedAt!: Date | null;
}
