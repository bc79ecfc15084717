import type { NewProgram, ProgramPatch } from '../../activities/programs.activities';
import type { FieldProblem } from '../../entities/errors';
import type { Program } from '../../entities/program.entity';
import { maxUrlLength, parseWebUrl } from '../../entities/rules/link-target';
import { modes, type Mode } from '../../entities/rules/mode';
import {
  approvalModes,
  commissionBases,
  commissionTypes,
  maxAmountCents,
  maxAttributionWindowDays,
  maxHoldDays,
  maxRateBps,
  maxRecurringMonths,
  programStatuses,
  programTermsOf,
  programTermsProblems,
  settableProgramStatuses,
  type ApprovalMode,
  type CommissionBasis,
  type CommissionType,
  type ProgramStatus,
} from '../../entities/rules/program-terms';
import {
  AnyText,
  CurrencyCode,
  Flag,
  HttpUrl,
  Instant,
  Int,
  Name,
  Nested,
  OneOf,
  Text,
  Texts,
  Uuid,
  Values,
} from '../http/validators';
import { isCurrency } from '../../entities/rules/currency';

const rate = { min: 1, max: maxRateBps, description: 'Basis points: 1000 is 10 %.' };
const amount = {
  min: 1,
  max: maxAmountCents,
  description: "Minor units of the programme's currency.",
};

/** Terms of a programme as a client sends them. */
export class CommissionTermsBody {
  @OneOf(commissionTypes, { example: 'percentage' })
  type!: CommissionType;

  @Int({ ...rate, optional: true, nullable: true, example: 2000 })
  rateBps?: number | null;

  @Int({ ...amount, optional: true, nullable: true })
  amountCents?: number | null;

  @OneOf(commissionBases, {
    optional: true,
    nullable: true,
    description: 'Percentage terms only. Default gross; net is after the processor fee.',
  })
  basis?: CommissionBasis | null;

  @Flag({ optional: true, description: 'Renewals earn too. Default false.' })
  recurring?: boolean;

  @Int({
    min: 1,
    max: maxRecurringMonths,
    optional: true,
    nullable: true,
    description: 'Needs recurring; null is without end.',
  })
  recurringMonths?: number | null;
}

const optional = { optional: true } as const;

/** The fields that both create and change a programme. */
class ProgramSettingsBody {
  @Text({ max: 5_000, optional: true, nullable: true })
  description?: string | null;

  @CurrencyCode({
    ...optional,
    description: 'Fixed once the programme has commissions. Default usd.',
  })
  currency?: string;

  @OneOf(settableProgramStatuses, { ...optional, description: 'Default active.' })
  status?: (typeof settableProgramStatuses)[number];

  @Int({ min: 1, max: maxAttributionWindowDays, ...optional, description: 'Default 30.' })
  attributionWindowDays?: number;

  @OneOf(approvalModes, { ...optional, description: 'Default manual.' })
  approvalMode?: ApprovalMode;

  @Flag({ ...optional, description: 'Partners may apply. Default true.' })
  publicApplications?: boolean;

  @Int({ min: 0, max: maxHoldDays, ...optional, description: 'Default 30; 0 is no hold.' })
  holdDays?: number;

  @Flag({ ...optional, description: 'Approve when the hold ends. Default true.' })
  autoApprove?: boolean;

  @Values({
    ...optional,
    max: 200,
    item: { type: 'string', pattern: '^[A-Za-z]{3}$' },
    valid: isCurrency,
    message: 'each item must be an ISO 4217 currency code',
    distinct: true,
    normalise: (item) => (typeof item === 'string' ? item.toLowerCase() : item),
    description: "Currencies, beside the programme's, whose commissions need no review.",
    example: ['eur'],
  })
  acceptedCurrencies?: string[];

  @Int({
    min: 0,
    max: maxAmountCents,
    optional: true,
    nullable: true,
    description: 'Commissions above it wait for review; null is no limit.',
  })
  reviewAboveCents?: number | null;

  @Int({ min: 0, max: maxAmountCents, ...optional, description: 'Default 0.' })
  minPayoutCents?: number;
}

const website = {
  max: maxUrlLength,
  description: 'Links of partners lead to this host or a subdomain of it.',
  example: 'https://shop.example',
};

export class CreateProgramBody extends ProgramSettingsBody {
  @Name({ example: 'Demo shop' })
  name!: string;

  @HttpUrl(website)
  websiteUrl!: string;

  @Nested(() => CommissionTermsBody)
  commission!: CommissionTermsBody;
}

export class UpdateProgramBody extends ProgramSettingsBody {
  @Name(optional)
  name?: string;

  @HttpUrl({ ...website, ...optional })
  websiteUrl?: string;

  @Nested(() => CommissionTermsBody, { ...optional, description: 'Replaced as a whole.' })
  commission?: CommissionTermsBody;
}

/** What single fields cannot tell: the terms as a whole, and an address that browsers misread. */
export function programProblems(body: UpdateProgramBody): FieldProblem[] {
  const problems = body.commission ? programTermsProblems(body.commission, 'commission') : [];
  if (body.websiteUrl !== undefined && !parseWebUrl(body.websiteUrl)) {
    problems.push({ field: 'websiteUrl', message: 'must be an absolute http or https URL' });
  }
  return problems;
}

export function newProgramOf({ commission, ...settings }: CreateProgramBody): NewProgram {
  return { ...settings, commission: programTermsOf(commission) };
}

export function programPatchOf({ commission, ...settings }: UpdateProgramBody): ProgramPatch {
  return { ...settings, ...(commission ? { commission: programTermsOf(commission) } : {}) };
}

export class CommissionTermsDto {
  @OneOf(commissionTypes)
  type!: CommissionType;

  @Int({ ...rate, nullable: true })
  rateBps!: number | null;

  @Int({ ...amount, nullable: true })
  amountCents!: number | null;

  @OneOf(commissionBases, { nullable: true })
  basis!: CommissionBasis | null;

  @Flag()
  recurring!: boolean;

  @Int({ min: 1, max: maxRecurringMonths, nullable: true })
  recurringMonths!: number | null;
}

export class ProgramDto {
  @Uuid()
  id!: string;

  @OneOf(modes)
  mode!: Mode;

  @AnyText()
  name!: string;

  @AnyText()
  websiteUrl!: string;

  @AnyText({ nullable: true })
  description!: string | null;

  @AnyText({ description: 'ISO 4217, lower case.' })
  currency!: string;

  @OneOf(programStatuses)
  status!: ProgramStatus;

  @Int()
  attributionWindowDays!: number;

  @OneOf(approvalModes)
  approvalMode!: ApprovalMode;

  @Flag()
  publicApplications!: boolean;

  @Nested(() => CommissionTermsDto)
  commission!: CommissionTermsDto;

  @Int()
  holdDays!: number;

  @Flag()
  autoApprove!: boolean;

  @Texts()
  acceptedCurrencies!: string[];

  @Int({ nullable: true })
  reviewAboveCents!: number | null;

  @Int()
  minPayoutCents!: number;

  @Instant()
  createdAt!: string;

  @Instant()
  updatedAt!: string;
}

/** What anybody may read of a programme that takes applications. */
export class PublicProgramDto {
  @Uuid()
  id!: string;

  @AnyText()
  name!: string;

  @AnyText()
  websiteUrl!: string;

  @AnyText({ nullable: true })
  description!: string | null;

  @AnyText()
  currency!: string;

  @Int()
  attributionWindowDays!: number;

  @OneOf(approvalModes)
  approvalMode!: ApprovalMode;

  @Nested(() => CommissionTermsDto)
  commission!: CommissionTermsDto;

  @Int()
  holdDays!: number;
}

export function presentProgram(program: Program): ProgramDto {
  return {
    id: program.id,
    mode: program.mode,
    name: program.name,
    websiteUrl: program.websiteUrl,
    description: program.description,
    currency: program.currency,
    status: program.status,
    attributionWindowDays: program.attributionWindowDays,
    approvalMode: program.approvalMode,
    publicApplications: program.publicApplications,
    commission: presentTerms(program),
    holdDays: program.holdDays,
    autoApprove: program.autoApprove,
    acceptedCurrencies: program.acceptedCurrencies,
    reviewAboveCents: program.reviewAboveCents,
    minPayoutCents: program.minPayoutCents,
    createdAt: program.createdAt.toISOString(),
    updatedAt: program.updatedAt.toISOString(),
  };
}

export function presentPublicProgram(program: Program): PublicProgramDto {
  return {
    id: program.id,
    name: program.name,
    websiteUrl: program.websiteUrl,
    description: program.description,
    currency: program.currency,
    attributionWindowDays: program.attributionWindowDays,
    approvalMode: program.approvalMode,
    commission: presentTerms(program),
    holdDays: program.holdDays,
  };
}

function presentTerms(program: Program): CommissionTermsDto {
  return {
    type: program.commissionType,
    rateBps: program.rateBps,
    amountCents: program.amountCents,
    basis: program.basis,
    recurring: program.recurring,
    recurringMonths: program.recurringMonths,
  };
}

const programId = '0198c0de-1000-7000-8000-000000000001';
const commissionExample: CommissionTermsDto = {
  type: 'percentage',
  rateBps: 2000,
  amountCents: null,
  basis: 'gross',
  recurring: false,
  recurringMonths: null,
};

export const publicProgramExample: PublicProgramDto = {
  id: programId,
  name: 'Demo shop',
  websiteUrl: 'https://shop.example',
  description: 'Tea, by post.',
  currency: 'usd',
  attributionWindowDays: 30,
  approvalMode: 'manual',
  commission: commissionExample,
  holdDays: 30,
};

export const programExample: ProgramDto = {
  ...publicProgramExample,
  mode: 'live',
  status: 'active',
  publicApplications: true,
  autoApprove: true,
  acceptedCurrencies: [],
  reviewAboveCents: null,
  minPayoutCents: 0,
  createdAt: '2026-01-31T09:30:00.000Z',
  updatedAt: '2026-01-31T09:30:00.000Z',
};
