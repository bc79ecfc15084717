import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A link of a participant. Each has one default link, whose token is the referral code. */
@Check('ck_tracking_links_target', `is_default OR (target_url IS NOT NULL)`)
@Index('uq_tracking_link_default', ['participantId'], { unique: true, where: `is_default` })
@Entity({ name: 'tracking_links' })
export class TrackingLink {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('boolean') isDefault!: boolean;
  @Column('text') token!: string;
  @Column('text', { nullable: true }) name!: string | null;
  /** Null for a default link, which leads to the programme's website. */
  @Column('text', { nullable: true }) targetUrl!: string | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) deletedAt!: Date | null;
}
