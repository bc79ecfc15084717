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
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ type: 'text' })
  kind!: ErasureKind;

  /** A partner account or a participant. */
  @Column({ name: 'subject_id', type: 'uuid' })
  subjectId!: string;

  @Column({ type: 'text' })
  status!: ErasureStatus;

  @Column({ name: 'requested_by_type', type: 'text' })
  requestedByType!: Actor['type'];

  @Column({ name: 'requested_by_id', type: 'uuid', nullable: true })
  requestedById!: string | null;

  /** The confirmation. */
  @Column({ name: 'mail_id', type: 'uuid', nullable: true })
  mailId!: string | null;

  /** From when on the subject counts as erased. */
  @Column({ name: 'erased_at', type: 'timestamptz' })
  erasedAt!: Date;

  @Column({ name: 'completed_at', type: 'timestamptz', nullable: true })
  completedAt!: Date | null;
}
