import type { NewProgram, ProgramPatch } from '../../activities/programs/programs';
import type { FieldProblem } from '../../entities/errors';
import { isCurrency } from '../../entities/rules/values/currency';
import { isHost, normalisedHost } from '../../entities/rules/fraud/traffic';
import { maxUrlLength, parseWebUrl } from '../../entities/rules/partners/link-target';
import {
  approvalModes,
  commissionBases,
  commissionTypes,
  maxAmountCents,
  maxAttributionWindowDays,
  maxHoldDays,
  maxRateBps,
  maxRecurringMonths,
  programTermsOf,
  programTermsProblems,
  salesSources,
  settableProgramStatuses,
  type ApprovalMode,
  type CommissionBasis,
  type CommissionType,
  type SalesFrom,
} from '../../entities/rules/programs/terms';
import {
  absent,
  CurrencyCode,
  Flag,
  HttpUrl,
  Int,
  Name,
  Nested,
  OneOf,
  Text,
  Values,
} from '../http/contract/validators';

/** The words of `notify` in bodies that edit terms. */
export const notifyWords =
  'False: the approved partners whom it concerns are not told. Default true: ten minutes after the last edit, at most once a day.';

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

  @Int({ ...rate, ...absent, example: 2000 })
  rateBps?: number | null;

  @Int({ ...amount, ...absent })
  amountCents?: number | null;

  @OneOf(commissionBases, {
    ...absent,
    description: 'Percentage terms only. Default gross; net is after the processor fee.',
  })
  basis?: CommissionBasis | null;

  @Flag({ optional: true, description: 'Renewals earn too. Default false.' })
  recurring?: boolean;

  @Int({
    min: 1,
    max: maxRecurringMonths,
    ...absent,
    description:
      'Needs recurring; null is without end. Whole months from the first payment: 12 is twelve payments of a monthly plan and one of a yearly one.',
  })
  recurringMonths?: number | null;
}

const optional = { optional: true } as const;

/** The fields that both create and change a programme. */
class ProgramSettingsBody {
  @Text({ max: 5_000, ...absent })
  description?: string | null;

  @CurrencyCode({
    ...optional,
    description: 'Fixed once the programme has commissions. Default usd.',
  })
  currency?: string;

  @OneOf(settableProgramStatuses, {
    ...optional,
    description:
      'Default active. In draft and paused nothing is credited: renewals of running subscriptions earn nothing either.',
  })
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
    normaliseItem: (item) => (typeof item === 'string' ? item.toLowerCase() : item),
    description: "Currencies, beside the programme's, whose commissions need no review.",
    example: ['eur'],
  })
  acceptedCurrencies?: string[];

  @Int({
    min: 0,
    max: maxAmountCents,
    ...absent,
    description:
      "Commissions in the programme's currency above it wait for review; null is no limit.",
  })
  reviewAboveCents?: number | null;

  @Int({ min: 0, max: maxAmountCents, ...optional, description: 'Default 0.' })
  minPayoutCents?: number;

  @OneOf(salesSources, {
    ...optional,
    description:
      "Who tells the programme's sales. api: payments at Stripe make no conversions, their refunds and disputes count. stripe, paddle, polar: that biller's payments alone make conversions; reports by API are SALES_FROM_STRIPE or SALES_FROM_BILLER. Default both, which means every source: then report a payment of your biller's under the biller's id, or it counts twice.",
  })
  salesFrom?: SalesFrom;

  @Values({
    ...optional,
    max: 200,
    item: { type: 'string', maxLength: 253 },
    valid: isHost,
    message: 'each item must be a host such as coupons.example',
    distinct: true,
    normaliseItem: (item) => (typeof item === 'string' ? normalisedHost(item) : item),
    description:
      'Hosts that clicks must not come from, subdomains included: the fraud rule banned_source, once it is set, looks for them. Default none.',
    example: ['coupons.example'],
  })
  bannedSources?: string[];
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

  @Flag({ ...optional, description: notifyWords })
  notify?: boolean;
}

/** What single fields cannot say: the terms as a whole, and an address that browsers misread. */
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

export function programPatchOf(body: UpdateProgramBody): ProgramPatch {
  const { commission, notify: _notify, ...settings } = body;
  return { ...settings, ...(commission ? { commission: programTermsOf(commission) } : {}) };
}
