import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProgramOffer } from '../../rules/commissions/sale-terms';
import type { Mode } from '../../rules/values/mode';

/**
 * What a programme offered until it was edited; what it offers since the last edit stands in its own
 * row. Each holds from where the one before it ends, so that no two overlap and none is missing.
 */
@Check('ck_former_terms_mode', `mode IN ('test', 'live')`)
@Entity({ name: 'former_terms' })
export class FormerTerms {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_former_terms' }) programId!: string;
  /** The moment from which on other terms held. */
  @PrimaryColumn('timestamptz', { primaryKeyConstraintName: 'uq_former_terms' }) heldUntil!: Date;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  /** One document: a later release may add to it what else judges a sale. */
  @Column('jsonb') terms!: ProgramOffer;
}
