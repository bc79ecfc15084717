import { Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { CodeDiscount } from '../../rules/billing/codes';
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
  /** What it takes off where people pay, for codes that are made there. */
  @Column('jsonb', { nullable: true }) discount!: CodeDiscount | null;
  @Column('timestamptz') createdAt!: Date;
}
