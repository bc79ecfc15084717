import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** What a workspace's pages sent last, in one mode: how a merchant sees that the script works. */
@Entity({ name: 'tracking_states' })
@Check('ck_tracking_states_mode', `mode IN ('test', 'live')`)
export class TrackingState {
  @PrimaryColumn({
    name: 'workspace_id',
    type: 'uuid',
    primaryKeyConstraintName: 'pk_tracking_states',
  })
  workspaceId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_tracking_states' })
  mode!: Mode;

  @Column({ name: 'last_click_at', type: 'timestamptz', nullable: true })
  lastClickAt!: Date | null;

  @Column({ name: 'unknown_ref', type: 'text', nullable: true })
  unknownRef!: string | null;

  @Column({ name: 'unknown_ref_at', type: 'timestamptz', nullable: true })
  unknownRefAt!: Date | null;
}
