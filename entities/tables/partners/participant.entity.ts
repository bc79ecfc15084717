import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';
import type { Mode } from '../../rules/values/mode';
import type { Earlier } from '../../rules/partners/earlier';
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
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') workspaceId!: string;
  @Column('text') mode!: Mode;
  @Column('uuid') programId!: string;
  /** The partner's global account: the gpaId. */
  @Column('uuid') partnerId!: string;
  @Column('text') partnerName!: string;
  @Column('text') partnerEmail!: string;
  @Column('text') status!: ParticipantStatus;
  @Column('text', { nullable: true }) statusReason!: string | null;
  /** What the partner wrote when applying. */
  @Column('text', { nullable: true }) message!: string | null;
  /** The current code, as it was typed; past ones stay in referral_tokens. */
  @Column('text') referralCode!: string;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz', { nullable: true }) approvedAt!: Date | null;
  /**
   * When the person took it for theirs. Null: a server made it, name and address are as the merchant
   * gave them.
   */
  @Column('timestamptz', { nullable: true }) claimedAt!: Date | null;
  /** The address that a server gave it: it belongs to who proves that. Null for who came by themselves. */
  @Column('text', { nullable: true }) boundEmail!: string | null;
  /** When the account that has it proved that address. */
  @Column('timestamptz', { nullable: true }) provenAt!: Date | null;
  /** Why it waits for a member: what was open of the same address when it was erased. */
  @Column('jsonb', { nullable: true }) earlier!: Earlier | null;
  /** Null: the default group, which has the programme's id. */
  @Column('uuid', { nullable: true }) groupId!: string | null;
  /** Null: from the start. */
  @Column('timestamptz', { nullable: true }) groupSince!: Date | null;
  @Column('timestamptz', { nullable: true }) erasedAt!: Date | null;
  /** The way to be paid that an import told, for this programme alone; nobody has confirmed it. */
  @Column('text', { nullable: true }) payoutMethodEncrypted!: string | null;
  /** The account that it is sealed for. */
  @Column('uuid', { nullable: true }) payoutMethodAccountId!: string | null;
  @Column('text', { nullable: true }) payoutMethodType!: string | null;
  @Column('text', { nullable: true }) payoutMethodLabel!: string | null;
  /** An import made it, and nobody was told yet: no mail of any type goes there until that is done. */
  @Column('timestamptz', { nullable: true }) unannouncedSince!: Date | null;
  /** What the address of an erased one is known by when a server names it again. */
  @Column('text', { nullable: true }) erasedAddressHash!: string | null;
  @Column('timestamptz') updatedAt!: Date;
}
