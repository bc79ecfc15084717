import type { Participant } from '../../entities/tables/partners/participant.entity';
import {
  participantStatuses,
  type ParticipantStatus,
} from '../../entities/rules/partners/participant-status';
import { payoutMethodTypes, type PayoutMethodType } from '../../entities/rules/payouts/method';
import { codePattern } from '../../entities/rules/partners/referral-code';
import { PageQuery } from '../http/contract/pagination';
import { present } from '../http/contract/present';
import {
  absent,
  AnyText,
  Email,
  Flag,
  Instant,
  Int,
  ListOf,
  Name,
  Nested,
  OneOf,
  QueryFlag,
  Text,
  Texts,
  Uuid,
} from '../http/contract/validators';

const uuid = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
export const uuids = new RegExp(`^${uuid}(,${uuid}){0,99}$`);
const participantSortKeys = ['createdAt', 'partnerName', 'status'] as const;
type ParticipantSortKey = (typeof participantSortKeys)[number];

export class ParticipantQuery extends PageQuery {
  @OneOf(participantStatuses, { optional: true })
  status?: ParticipantStatus;

  @Uuid({ optional: true, description: 'Who is in this group now.' })
  groupId?: string;

  @Text({
    max: 200,
    optional: true,
    description: 'Part of the name, the address, the referral code or a promo code, in any case.',
  })
  search?: string;

  @Text({
    max: 3_700,
    optional: true,
    pattern: uuids,
    description: 'These alone: 1 to 100 ids, with commas between them.',
  })
  ids?: string;

  @QueryFlag({
    optional: true,
    description: 'Who owes something: was paid more than was earned, in some currency. Or not.',
  })
  owes?: boolean;

  @OneOf(participantSortKeys, { optional: true, description: 'Default createdAt.' })
  sortBy: ParticipantSortKey = 'createdAt';

  @OneOf(['asc', 'desc'], { optional: true, description: 'Default desc.' })
  sortOrder: 'asc' | 'desc' = 'desc';
}

const code = { min: 3, max: 40, trim: true, pattern: codePattern };

export class AddPartnerBody {
  @Email({ example: 'anna@partner.example' })
  email!: string;

  @Name({ example: 'Anna Partner' })
  name!: string;

  @Text({ ...code, ...absent, example: 'anna' })
  referralCode?: string | null;

  @Text({ max: 2_000, ...absent, example: 'Met at the tea fair.' })
  message?: string | null;

  @Uuid({ ...absent, description: 'Where a new one begins. Default: the default group.' })
  groupId?: string | null;
}

export class ReasonBody {
  @Text({ min: 1, max: 500, description: 'The partner reads it.', example: 'No website given.' })
  reason!: string;
}

export class SuspendBody extends ReasonBody {
  @Flag({
    optional: true,
    description:
      'Reject its pending commissions for the same reason, at once; of more than 10,000 the oldest. Default false: they wait.',
  })
  rejectPending?: boolean;
}

export class PromoCodeBody {
  @Text({ ...code, description: 'Compared and shown in upper case.', example: 'SUMMER-24' })
  code!: string;
}

export class ReferralCodeBody {
  @Text({ ...code, description: 'Kept as typed, compared without case.', example: 'anna' })
  referralCode!: string;
}

export class AmountDto {
  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @Int({ description: 'Minor units.', example: 70_000 })
  amountCents!: number;
}

/** What was open of the address in the programme when its account was erased. */
export class EarlierDto {
  @OneOf(participantStatuses)
  status!: ParticipantStatus;

  @ListOf(() => AmountDto, { description: 'What was paid too much, and never earned since.' })
  debts!: AmountDto[];
}

/** Two codes that a reader may take for one another. */
export class SimilarCodeDto {
  @AnyText({
    description: "The participant's own: a promo code, or a referral code, of before too.",
  })
  code!: string;

  @AnyText({ description: 'What it reads like.' })
  like!: string;

  @Uuid({ description: 'Whose that one is.' })
  participantId!: string;

  @AnyText()
  partnerName!: string;
}

/** The way to be paid that came with an import. */
export class ImportedMethodDto {
  @OneOf(payoutMethodTypes)
  type!: PayoutMethodType;

  @AnyText({ description: 'Masked.' })
  label!: string;

  @Flag({ description: 'Always false: an import told it, the partner has not.' })
  confirmed!: boolean;
}

/** A partner in one programme. */
export class ParticipantDto {
  @Uuid()
  id!: string;

  @Uuid()
  programId!: string;

  @AnyText()
  partnerName!: string;

  @AnyText()
  partnerEmail!: string;

  @Uuid({ description: "The partner's global account." })
  partnerGpaId!: string;

  @OneOf(participantStatuses, { example: 'approved' })
  status!: ParticipantStatus;

  @AnyText({ nullable: true, description: 'Why it was rejected or suspended.' })
  statusReason!: string | null;

  @AnyText({
    nullable: true,
    description: 'What the partner wrote when applying.',
    example: 'I write about tea.',
  })
  message!: string | null;

  @AnyText()
  referralCode!: string;

  @Texts({ description: 'Upper case, oldest first.', example: ['SUMMER-24'] })
  promoCodes!: string[];

  @Instant()
  createdAt!: string;

  @Instant({ nullable: true, example: '2026-02-01T08:00:00.000Z' })
  approvedAt!: string | null;

  @Instant({ nullable: true, description: 'From when on name, address and texts are erased.' })
  erasedAt!: string | null;

  @Uuid({ description: 'The default group has the id of the programme.' })
  groupId!: string;

  @AnyText()
  groupName!: string;

  @Instant()
  groupSince!: string;

  @Flag({
    description:
      'False while name and address are those that the merchant gave: the person has not opened the programme.',
    example: true,
  })
  claimed!: boolean;

  @ListOf(() => SimilarCodeDto, {
    description:
      'A warning: codes of other partners of the programme that read like one of its own (O and 0, I, l and 1, case, hyphens). At most 20; the partner reads none.',
    example: [],
  })
  similarCodes!: SimilarCodeDto[];

  @Nested(() => EarlierDto, {
    nullable: true,
    description:
      'Why it waits for a member: its address took part before, erased the account, and was suspended, rejected or in debt. The partner reads null.',
    example: null,
  })
  earlier!: EarlierDto | null;

  @Nested(() => ImportedMethodDto, {
    nullable: true,
    description:
      'The way to be paid that came with an import, for this programme alone; it pays while the account has none of its own. The partner reads null.',
    example: null,
  })
  payoutMethod!: ImportedMethodDto | null;

  @Nested(() => PaidByDto, {
    nullable: true,
    description:
      'How a payout that is made now would pay: what the partner has said, else what an import told. The partner reads null here.',
  })
  paidBy!: PaidByDto | null;

  @Int({ min: 0 })
  clicks!: number;

  @Int({ min: 0, description: 'Attributed ones.' })
  conversions!: number;

  @ListOf(() => AmountDto, { description: 'Of attributed conversions, net of refunds.' })
  revenue!: AmountDto[];

  @ListOf(() => AmountDto, { description: 'What is due, rejected commissions left out.' })
  commissions!: AmountDto[];
}

/** How a payout that is made now would pay. */
export class PaidByDto {
  @OneOf(payoutMethodTypes)
  type!: PayoutMethodType;

  @AnyText({ description: 'Masked.', example: 'PayPal, a***@partner.example' })
  label!: string;

  @Flag({
    description: 'Whether the partner has said it; false where an import did.',
    example: true,
  })
  confirmed!: boolean;
}

/** A participant with what was counted and summed for it. */
export type ParticipantRow = Participant &
  Pick<
    ParticipantDto,
    | 'groupName'
    | 'promoCodes'
    | 'similarCodes'
    | 'paidBy'
    | 'clicks'
    | 'conversions'
    | 'revenue'
    | 'commissions'
  >;

export function presentParticipant(row: ParticipantRow): ParticipantDto {
  const { partnerId: partnerGpaId, claimedAt } = row;
  const groupId = row.groupId ?? row.programId;
  const groupSince = row.groupSince ?? row.createdAt;
  const claimed = claimedAt !== null;
  const payoutMethod = importedMethodOf(row);
  const own = { partnerGpaId, groupId, groupSince, claimed, payoutMethod };
  return present(ParticipantDto, { ...row, ...own });
}

function importedMethodOf({
  payoutMethodType: type,
  payoutMethodLabel: label,
}: Participant): ImportedMethodDto | null {
  if (type === null || label === null) return null;
  return { type: type as PayoutMethodType, label, confirmed: false };
}

/** The same for the partner, who reads nothing of what a merchant remembers. */
export function presentOwnParticipant(row: ParticipantRow): ParticipantDto {
  const unread = { earlier: null, payoutMethodType: null, paidBy: null, similarCodes: [] };
  return presentParticipant({ ...row, ...unread });
}
