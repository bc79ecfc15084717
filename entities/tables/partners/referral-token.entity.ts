import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/**
 * A string that a visitor may carry as `?ref=`: a referral code, past ones too, or a link's token.
 * Rows stay for ever, so that no string is given to a second participant.
 */
@Check('ck_referral_tokens_kind', `kind IN ('code', 'link', 'imported')`)
@Entity({ name: 'referral_tokens' })
export class ReferralToken {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'uq_referral_token' }) workspaceId!: string;
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_referral_token' }) mode!: Mode;
  /** `referralTokenKey(token)`: what is compared. */
  @PrimaryColumn('text', { primaryKeyConstraintName: 'uq_referral_token' }) tokenKey!: string;
  @Column('text') token!: string;
  /** `imported`: of an old link, compared exactly first. */
  @Column('text') kind!: 'code' | 'link' | 'imported';
  /** What is compared of an imported token, without case; several may have it. */
  @Column('text', { nullable: true }) importedKey!: string | null;
  @Column('uuid') programId!: string;
  @Column('uuid') participantId!: string;
  @Column('uuid') linkId!: string;
  /** When the link was deleted; the token resolves to nothing from then on. */
  @Column('timestamptz', { nullable: true }) retiredAt!: Date | null;
  @Column('timestamptz') createdAt!: Date;
}
