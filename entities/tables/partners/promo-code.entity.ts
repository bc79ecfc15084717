import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A code that buyers type at the checkout; stored in upper case. */
@Unique('uq_promo_code', ['workspaceId', 'mode', 'code'])
@Entity({ name: 'promo_codes' })
export class PromoCode {
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

  @Column({ type: 'text' })
  code!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
