import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A link of a participant. Each has one default link, whose token is the referral code. */
@Check('ck_tracking_links_target', `is_default OR (target_url IS NOT NULL)`)
@Index('uq_tracking_link_default', ['participantId'], { unique: true, where: `is_default` })
@Entity({ name: 'tracking_links' })
export class TrackingLink {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  @Column({ name: 'is_default', type: 'boolean' })
  isDefault!: boolean;

  @Column({ type: 'text' })
  token!: string;

  @Column({ type: 'text', nullable: true })
  name!: string | null;

  /** Null for a default link, which leads to the programme's website. */
  @Column({ name: 'target_url', type: 'text', nullable: true })
  targetUrl!: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'deleted_at', type: 'timestamptz', nullable: true })
  deletedAt!: Date | null;
}
