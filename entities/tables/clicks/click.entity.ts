import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** One visit through a partner's link. The id is a UUID v7; createdAt is the time inside it. */
@Entity({ name: 'clicks' })
export class Click {
  @PrimaryColumn({ primaryKeyConstraintName: 'pk_clicks', type: 'uuid' })
  id!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'pk_clicks', name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  @Column({ name: 'link_id', type: 'uuid' })
  linkId!: string;

  @Column({ name: 'visitor_id', type: 'uuid' })
  visitorId!: string;

  /** Whether the partner was approved at that moment; a later approval changes nothing. */
  @Column({ type: 'boolean' })
  creditable!: boolean;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'text', nullable: true })
  url!: string | null;

  @Column({ type: 'text', nullable: true })
  referrer!: string | null;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent!: string | null;

  /** `keyId:hash`; the address itself is kept nowhere. */
  @Column({ name: 'ip_hash', type: 'text', nullable: true })
  ipHash!: string | null;

  /** The transaction that stored it; null for those from before analytics. Postgres sets it. */
  @Column({ name: 'recorded_in', type: 'bigint', nullable: true, insert: false, update: false })
  recordedIn!: number | null;
}
