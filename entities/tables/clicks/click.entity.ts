import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** One visit through a partner's link. The id is a UUID v7; createdAt is the time inside it. */
@Entity({ name: 'clicks' })
export class Click {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_clicks' }) id!: string;
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'pk_clicks' }) createdAt!: Date;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('uuid') linkId!: string;
  @Column('uuid') visitorId!: string;
  /** Whether the partner was approved at that moment; a later approval changes nothing. */
  @Column('boolean') creditable!: boolean;
  @Column('timestamptz') expiresAt!: Date;
  @Column('text', { nullable: true }) url!: string | null;
  @Column('text', { nullable: true }) referrer!: string | null;
  @Column('text', { nullable: true }) userAgent!: string | null;
  /** `keyId:hash`; the address itself is kept nowhere. */
  @Column('text', { nullable: true }) ipHash!: string | null;
  /** The transaction that stored it; null for those from before analytics. Postgres sets it. */
  @Column({ type: 'bigint', nullable: true, insert: false, update: false }) recordedIn!:
    | number
    | null;
}
