import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import type { Mode } from '../../rules/values/mode';

/**
 * A string that a visitor may carry as `?ref=`: a referral code, past ones too, or a link's token.
 * Rows stay for ever, so that no string is given to a second participant.
 */
@Check('ck_referral_tokens_kind', `kind IN ('code', 'link')`)
@Entity({ name: 'referral_tokens' })
export class ReferralToken {
  @PrimaryColumn({
    primaryKeyConstraintName: 'uq_referral_token',
    name: 'workspace_id',
    type: 'uuid',
  })
  workspaceId!: string;

  @PrimaryColumn({ primaryKeyConstraintName: 'uq_referral_token', type: 'text' })
  mode!: Mode;

  /** `referralTokenKey(token)`: what is compared. */
  @PrimaryColumn({ primaryKeyConstraintName: 'uq_referral_token', name: 'token_key', type: 'text' })
  tokenKey!: string;

  @Column({ type: 'text' })
  token!: string;

  @Column({ type: 'text' })
  kind!: 'code' | 'link';

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  @Column({ name: 'participant_id', type: 'uuid' })
  participantId!: string;

  @Column({ name: 'link_id', type: 'uuid' })
  linkId!: string;

  /** When the link was deleted; the token resolves to nothing from then on. */
  @Column({ name: 'retired_at', type: 'timestamptz', nullable: true })
  retiredAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
