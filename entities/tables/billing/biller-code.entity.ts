import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Biller } from '../../rules/billing/biller';
import type { BillerCodeStatus, CodeDiscount } from '../../rules/billing/codes';
import type { Mode } from '../../rules/values/mode';

/** A promo code at a biller. It outlasts the promo code, until it is switched off there. */
@Check('ck_biller_codes_mode', `mode IN ('test', 'live')`)
@Check('ck_biller_codes_biller', `biller IN ('stripe', 'paddle', 'polar')`)
@Check('ck_biller_codes_status', `status IN ('pending', 'made', 'failed', 'deleted')`)
@Unique('uq_biller_code', ['promoCodeId', 'biller'])
@Entity({ name: 'biller_codes' })
export class BillerCode {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('uuid') promoCodeId!: string;
  @Column('text') biller!: Biller;
  @Column('text') code!: string;
  @Column('jsonb') discount!: CodeDiscount;
  @Column('text') status!: BillerCodeStatus;
  /** What the biller calls it; null until it is known. */
  @Column('text', { nullable: true }) externalId!: string | null;
  @Column('text', { nullable: true }) message!: string | null;
  /** The time since which it is to be made, or compared again. */
  @Column('timestamptz') askedAt!: Date;
  /** The time since which it is to be switched off. */
  @Column('timestamptz', { nullable: true }) removedAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
