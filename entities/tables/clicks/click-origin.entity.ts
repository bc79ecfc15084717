import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** Clicks that the pages of one origin sent on a UTC day. */
@Entity({ name: 'click_origins' })
@Check('ck_click_origins_mode', `mode IN ('test', 'live')`)
export class ClickOrigin {
  @PrimaryColumn({
    name: 'workspace_id',
    type: 'uuid',
    primaryKeyConstraintName: 'pk_click_origins',
  })
  workspaceId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_click_origins' })
  mode!: Mode;

  @PrimaryColumn({ type: 'date', primaryKeyConstraintName: 'pk_click_origins' })
  day!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'pk_click_origins' })
  origin!: string;

  @Column({ type: 'bigint' })
  clicks!: number;

  @Column({ name: 'last_seen_at', type: 'timestamptz' })
  lastSeenAt!: Date;
}
