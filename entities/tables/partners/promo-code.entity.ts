import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/** A code that buyers type at the checkout; stored in upper case. */
@Unique('uq_promo_code', ['workspaceId', 'mode', 'code'])
@Entity({ name: 'promo_codes' })
export class PromoCode {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('text') code!: string;
  @Column('timestamptz') createdAt!: Date;
}
