import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What a workspace's pages sent last, in one mode: how a merchant sees that the script works. */
@Entity({ name: 'tracking_states' })
@Check('ck_tracking_states_mode', `mode IN ('test', 'live')`)
export class TrackingState {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_tracking_states' }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_tracking_states' }) mode!: Mode;
  @Column('timestamptz', { nullable: true }) lastClickAt!: Date | null;
  @Column('text', { nullable: true }) unknownRef!: string | null;
  @Column('timestamptz', { nullable: true }) unknownRefAt!: Date | null;
}
