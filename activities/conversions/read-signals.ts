import type { Outer, Selected } from '../../entities/database/columns';
import { prepared, type Db } from '../../entities/database/sql';
import { isUuid, uuidTime } from '../../entities/ids';
import type { TermsSource } from '../../entities/rules/commissions/amount';
import type { ReviewSettings } from '../../entities/rules/commissions/review-reasons';
import type { Binding, BindingSource } from '../../entities/rules/customers/binding';
import type { CreditedPartner } from '../../entities/rules/fraud/facts';
import type { FraudSettings } from '../../entities/rules/fraud/fraud';
import type { FirstPayments } from '../../entities/rules/payments/sale';
import type { ParticipantStatus } from '../../entities/rules/partners/participant-status';
import { defaultGroupOf, type GroupTerms } from '../../entities/rules/programs/groups';
import { isCodeShaped, promoCodeKey } from '../../entities/rules/partners/referral-code';
import type { ProgramStatus, SalesFrom } from '../../entities/rules/programs/terms';
import type { Mode, Scope } from '../../entities/rules/values/mode';
import type { Participant } from '../../entities/tables/partners/participant.entity';
import type { ProgramGroup } from '../../entities/tables/programs/program-group.entity';
import type { Program } from '../../entities/tables/programs/program.entity';
import type { groupColumns } from '../programs/former-terms';
import {
  signalsSql,
  type participantColumns,
  type programColumns,
  type termsColumns,
} from './signals-sql';

/** The part of a report that decides which rows are read. */
export interface FactsQuestion {
  scope: Scope;
  clickId: string | null;
  promoCode: string | null;
  /** A participant to credit without a signal: the renewal of a known customer. */
  creditTo: string | null;
  /** Every id that the payment is known by. */
  aliases: string[];
  customerId: string | null;
  /** Ids that the customer may be known by, the surest first. */
  customerNames: string[];
  prospectHash: string | null;
}

/** A customer who is known by one of the report's names, bound or not. */
export interface KnownCustomer {
  id: string;
  /** What of the row was read: equal texts are the same state. */
  seen: string;
  /** Null while nobody has brought them. */
  binding: (Binding & { facts: CandidateFacts }) | null;
  /** When the binding last changed; null for a customer who was never bound. */
  changedAt: Date | null;
  firstPayments: FirstPayments;
  lastPaidAt: Date | null;
}

/** All that is known of a candidate at the time of the report. */
export interface CandidateFacts extends CreditedPartner {
  mode: Mode;
  program: {
    id: string;
    status: ProgramStatus;
    name: string;
    salesFrom: SalesFrom;
    /** True from the programme's first commission on: its currency is fixed then. */
    hasCommissions: boolean;
    bannedSources: string[];
  } & TermsSource &
    ReviewSettings;
  participant: CreditedPartner['participant'] & {
    id: string;
    status: ParticipantStatus;
    erased: boolean;
    name: string;
  };
  code: string | null;
  click: (NonNullable<CreditedPartner['click']> & ClickWindow) | null;
  fraudSettings: Partial<FraudSettings> | null;
  /** The workspace is connected to Stripe, so that a sale may be told twice. */
  sellsByStripe: boolean;
}

/** The part of a click that attribution reads. */
interface ClickWindow {
  id: string;
  linkId: string;
  windowEndsAt: Date;
  creditable: boolean;
}

export interface ConversionFacts {
  /** The conversion that has one of the ids already. */
  duplicateOf: string | null;
  click: CandidateFacts | null;
  code: CandidateFacts | null;
  credit: CandidateFacts | null;
  customer: KnownCustomer | null;
  /** A signal that exists in this workspace, in its other mode only. */
  isOtherMode: boolean;
  /** Participants who have a conversion like this one from the other source. */
  lookAlikes: string[];
}

/** A signal, the customer's first payment, or an id that a conversion has already. */
type FoundBy = 'click' | 'promo_code' | 'customer' | 'credit' | 'duplicate';

interface FoundRow {
  /** Number of the question, from 1. */
  n: number;
  foundBy: FoundBy;
  mode: Mode;
  /** The click, the customer, or the conversion that has the id already. */
  foundId: string | null;
  linkId: string | null;
  clickedAt: Date | null;
  windowEndsAt: Date | null;
  creditable: boolean | null;
  userAgent: string | null;
  ipHash: string | null;
  url: string | null;
  referrer: string | null;
  code: string | null;
  boundBy: BindingSource | null;
  boundAt: Date | null;
  seen: string | null;
  firstPayments: FirstPayments | null;
  lastPaidAt: Date | null;
  erased: boolean;
  hasCommissions: boolean;
  fraudSettings: Partial<FraudSettings> | null;
}

/** Outer joins: null when the participant or the programme is gone. */
type JoinedRow = Selected<Participant, typeof participantColumns> &
  Selected<Program, typeof programColumns> &
  Selected<Program, typeof termsColumns>;

/** Looked up for candidates of the report's own mode only. */
type SeenRow = Pick<
  CandidateFacts,
  | 'ipIsPartners'
  | 'clicksFromIp'
  | 'customerIsAnothersToo'
  | 'sellsByStripe'
  | 'refunded'
  | 'conversions'
>;

/** Null for a default group that is not written down. */
type GroupRow = Outer<Selected<ProgramGroup, typeof groupColumns>>;

type CandidateRow = FoundRow & GroupRow & Outer<JoinedRow> & Outer<SeenRow>;
type CompleteRow = FoundRow & GroupRow & JoinedRow & SeenRow;

/** All that the decisions on these reports need, read in one round trip; one answer for each. */
export async function readConversionFacts(
  db: Db,
  questions: readonly FactsQuestion[],
  now: Date,
): Promise<ConversionFacts[]> {
  const clickIds = questions.map(({ clickId }) => (isUuid(clickId) ? clickId.toLowerCase() : null));
  const aliases = questions.flatMap((question, index) =>
    question.aliases.map((alias) => ({ n: index + 1, alias })),
  );
  const names = questions.flatMap(({ customerNames }, index) =>
    customerNames.map((name) => ({ n: index + 1, name })),
  );
  const rows = await prepared<CandidateRow>(db, {
    name: 'conversion_facts',
    text: signalsSql,
    values: [
      questions.map(({ scope }) => scope.workspaceId),
      questions.map(({ scope }) => scope.mode),
      clickIds,
      clickIds.map((id) => id && uuidTime(id)),
      questions.map(({ promoCode }) => codeKey(promoCode)),
      questions.map(({ creditTo }) => creditTo),
      questions.map(({ customerId }) => customerId),
      questions.map(({ prospectHash }) => prospectHash),
      now,
      aliases.map(({ n }) => n),
      aliases.map(({ alias }) => alias),
      names.map(({ n }) => n),
      names.map(({ name }) => name),
    ],
  });

  const byQuestion = questions.map((): CandidateRow[] => []);
  for (const row of rows) byQuestion[row.n - 1]?.push(row);
  return questions.map((question, index) => inMode(byQuestion[index] ?? [], question));
}

function codeKey(code: string | null): string | null {
  return code !== null && isCodeShaped(code) ? promoCodeKey(code) : null;
}

function inMode(rows: readonly CandidateRow[], question: FactsQuestion): ConversionFacts {
  const { mode } = question.scope;
  const own = rows.filter((row) => row.mode === mode);
  const find = (by: FoundBy): CandidateFacts | null => {
    const row = own.find(({ foundBy }) => foundBy === by);
    return row && isComplete(row) ? candidateFactsOf(row) : null;
  };
  const isOwn = ({ foundBy }: CandidateRow): boolean => own.some((row) => row.foundBy === foundBy);
  return {
    duplicateOf: own.find((row) => row.foundBy === 'duplicate')?.foundId ?? null,
    click: find('click'),
    code: find('promo_code'),
    credit: find('credit'),
    customer: customerOf(own, question.customerNames),
    isOtherMode: rows.some((row) => row.mode !== mode && !isOwn(row)),
    lookAlikes: [],
  };
}

/** The customer by the surest name; of a partner who is gone nothing is left to credit. */
function customerOf(rows: readonly CandidateRow[], names: readonly string[]): KnownCustomer | null {
  const found = rows.filter(({ foundBy }) => foundBy === 'customer');
  const row = names.flatMap((name) => found.find(({ code }) => code === name) ?? [])[0];
  if (!row || row.foundId === null) return null;
  const { foundId: id, boundBy: source, boundAt, seen, firstPayments, lastPaidAt } = row;
  const isBound = source !== null && boundAt !== null && isComplete(row);
  const binding = isBound ? { source, boundAt, facts: candidateFactsOf(row) } : null;
  return {
    id,
    seen: seen ?? '',
    binding,
    changedAt: boundAt,
    firstPayments: firstPayments ?? {},
    lastPaidAt,
  };
}

/** False when the programme or participant is gone: a reset of test data has taken them. */
function isComplete(row: CandidateRow): row is CompleteRow {
  return row.programId !== null && row.participantId !== null;
}

function candidateFactsOf(row: CompleteRow): CandidateFacts {
  return {
    mode: row.mode,
    code: row.code,
    program: programOf(row),
    participant: {
      id: row.participantId,
      status: row.participantStatus,
      erased: row.erased,
      name: row.partnerName,
      email: row.partnerEmail,
    },
    click: clickOf(row),
    fraudSettings: row.fraudSettings,
    ipIsPartners: row.ipIsPartners,
    clicksFromIp: row.clicksFromIp,
    customerIsAnothersToo: row.customerIsAnothersToo,
    sellsByStripe: row.sellsByStripe,
    refunded: row.refunded,
    conversions: row.conversions,
  };
}

function programOf(row: CompleteRow): CandidateFacts['program'] {
  return {
    id: row.programId,
    status: row.programStatus,
    name: row.programName,
    salesFrom: row.salesFrom,
    hasCommissions: row.hasCommissions,
    bannedSources: row.bannedSources,
    currency: row.currency,
    acceptedCurrencies: row.acceptedCurrencies,
    reviewAboveCents: row.reviewAboveCents,
    rules: row.rules,
    holdDays: row.holdDays,
    autoApprove: row.autoApprove,
    terms: {
      type: row.commissionType,
      rateBps: row.rateBps,
      amountCents: row.amountCents,
      basis: row.basis,
      recurring: row.recurring,
      recurringMonths: row.recurringMonths,
    },
    group: groupOf(row),
  };
}

function groupOf(row: CompleteRow): GroupTerms {
  const { groupId: id, groupName: name, programId } = row;
  if (id === null || name === null) return defaultGroupOf(programId, name ?? undefined);
  const { groupCommission: commission, groupHoldDays, groupAutoApprove } = row;
  return { id, name, commission, holdDays: groupHoldDays, autoApprove: groupAutoApprove };
}

function clickOf(row: FoundRow): CandidateFacts['click'] {
  const { foundId, linkId, clickedAt, windowEndsAt, creditable } = row;
  if (foundId === null || linkId === null || clickedAt === null || windowEndsAt === null)
    return null;
  return {
    id: foundId,
    linkId,
    clickedAt,
    windowEndsAt,
    creditable: creditable === true,
    userAgent: row.userAgent,
    ipHash: row.ipHash,
    url: row.url,
    referrer: row.referrer,
  };
}
