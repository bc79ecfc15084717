import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { ParticipantStatus } from '../../rules/partners/participant-status';

/** A partner in one programme. Name and address are copies of the account's, until an erasure. */
@Check('ck_participants_mode', `mode IN ('test', 'live')`)
@Check(
  'ck_participants_status',
  `status IN ('pending', 'approved', 'rejected', 'suspended', 'left')`,
)
@Unique('uq_participant_partner', ['programId', 'partnerId'])
@Entity({ name: 'participants' })
export class Participant {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string;

  @Column({ type: 'text' })
  mode!: Mode;

  @Column({ name: 'program_id', type: 'uuid' })
  programId!: string;

  /** The partner's global account: the gpaId. */
  @Column({ name: 'partner_id', type: 'uuid' })
  partnerId!: string;

  @Column({ name: 'partner_name', type: 'text' })
  partnerName!: string;

  @Column({ name: 'partner_email', type: 'text' })
  partnerEmail!: string;

  @Column({ type: 'text' })
  status!: ParticipantStatus;

  @Column({ name: 'status_reason', type: 'text', nullable: true })
  statusReason!: string | null;

  /** What the partner wrote when applying. */
  @Column({ type: 'text', nullable: true })
  message!: string | null;

  /** The current code, as it was typed; past ones stay in referral_tokens. */
  @Column({ name: 'referral_code', type: 'text' })
  referralCode!: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'approved_at', type: 'timestamptz', nullable: true })
  approvedAt!: Date | null;

  /**
   * When the person took it for theirs. Null: a server made it, name and address are as the merchant
   * gave them.
   */
  @Column({ name: 'claimed_at', type: 'timestamptz', nullable: true })
  claimedAt!: Date | null;

  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  erasedAt!: Date | null;

  /** What the address of an erased one is known by when a server names it again. */
  @Column({ name: 'erased_address_hash', type: 'text', nullable: true })
  erasedAddressHash!: string | null;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}
