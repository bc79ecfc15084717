import type { Db } from '../../entities/database/sql';
import { dueBy, dueOf, earns, type Due } from '../../entities/rules/commissions/back-test';
import type { TermsSource } from '../../entities/rules/commissions/amount';
import { defaultGroupOf, groupsNamed } from '../../entities/rules/programs/groups';
import type { CommissionRule, ProgramTerms } from '../../entities/rules/programs/terms';
import type { Scope } from '../../entities/rules/values/mode';
import type { Program } from '../../entities/tables/programs/program.entity';
import { offerOf } from '../programs/former-terms';
import { refuseUnknownGroups } from '../programs/group-rows';
import { pastSales, type StoredSale } from './past-sales';

/** Terms to try; what is left out is as it is today. */
export interface TriedTerms {
  rules?: CommissionRule[] | undefined;
  commission?: ProgramTerms | undefined;
  groups?: readonly { groupId: string; commission: ProgramTerms | null }[] | undefined;
}

export interface BackTestQuestion {
  program: Program;
  tried: TriedTerms;
  from: Date;
  to: Date;
}

export interface BackTestExample {
  conversionId: string;
  before: Due | null;
  after: Due | null;
  ruleBefore: string | null;
  ruleAfter: string | null;
}

export interface PartnerDifference {
  participantId: string;
  partnerName: string;
  before: Due[];
  after: Due[];
}

export interface TermsBackTest {
  conversions: number;
  changed: number;
  before: Due[];
  after: Due[];
  byPartner: PartnerDifference[];
  examples: BackTestExample[];
  truncated: boolean;
}

const maxSales = 100_000;
const maxShown = 20;
/**
 * The sales between two turns of others: a request of theirs takes a dozen turns, and 200 rules on
 * twenty sales are over within two milliseconds.
 */
const turnOf = 20;

/**
 * What terms would have made of the sales that arrived in a period, by the functions that earn: stored
 * facts, each partner's group of then, the refunds of today. Stores nothing. VALIDATION_ERROR for a group that the
 * programme does not have.
 */
export async function backTestTerms(
  db: Db,
  scope: Scope,
  { program, tried, from, to }: BackTestQuestion,
): Promise<TermsBackTest> {
  await refuseUnknownGroups(db, program, [
    ...groupsNamed(tried.rules ?? []),
    ...(tried.groups ?? []).map(({ groupId }, n) => ({ field: `groups[${n}].groupId`, groupId })),
  ]);
  const sourceOf = await sourcesOf(db, program, tried);
  const sums = new Sums(program.currency);
  let isTruncated = false;
  const period = { programId: program.id, from, to };
  for await (const page of pastSales(db, scope, period)) {
    for (const [index, past] of page.entries()) {
      if (sums.conversions >= maxSales) isTruncated = true;
      if (isTruncated) break;
      if (!isHeldBack(past, program.currency)) sums.add(past, dueOf(sourceOf(past), past));
      if (index % turnOf === turnOf - 1) await new Promise(setImmediate);
    }
    if (isTruncated) break;
  }
  return { ...sums.answer(), truncated: isTruncated };
}

/** What the programme would offer in each group. */
async function sourcesOf(
  db: Db,
  program: Program,
  { rules, commission, groups: tried = [] }: TriedTerms,
): Promise<(past: StoredSale) => TermsSource> {
  const { groups = [], ...offer } = await offerOf(db, program);
  const own = { ...offer, rules: rules ?? offer.rules, terms: commission ?? offer.terms };
  const changed = new Map(tried.map((group) => [group.groupId, group.commission]));
  const sources = new Map(
    groups.map((group) => {
      const given = changed.get(group.id);
      const of = given === undefined ? group : { ...group, commission: given };
      return [group.id, { ...own, group: of }] as const;
    }),
  );
  const inDefault = { ...own, group: defaultGroupOf(program.id) };
  return ({ groupId }) => sources.get(groupId) ?? sources.get(program.id) ?? inDefault;
}

/** Its terms would have earned something, and it has no commission: its partner could not be paid. */
function isHeldBack(past: StoredSale, currency: string): boolean {
  const { before, traced } = past;
  if (before !== null || traced === null) return false;
  const { type, rate_bps: rateBps, amount_cents: amountCents, basis } = traced;
  const { recurring, recurring_months: recurringMonths } = traced;
  if (!earns(past, { recurring, recurringMonths })) return false;
  return dueBy({ type, rateBps, amountCents, basis }, past, currency) !== null;
}

type Totals = Map<string, number>;

class Sums {
  conversions = 0;
  private changed = 0;
  private readonly before: Totals = new Map();
  private readonly after: Totals = new Map();
  private readonly partners = new Map<string, { name: string; before: Totals; after: Totals }>();
  private readonly examples: BackTestExample[] = [];

  constructor(private readonly currency: string) {}

  add(past: StoredSale, { due: after, rule: ruleAfter }: { due: Due | null; rule: string | null }) {
    const { id: conversionId, participantId, partnerName: name, before, ruleBefore } = past;
    this.conversions += 1;
    const partner = this.partners.get(participantId) ?? {
      ...{ name, before: new Map(), after: new Map() },
    };
    this.partners.set(participantId, partner);
    for (const totals of [this.before, partner.before]) addTo(totals, before);
    for (const totals of [this.after, partner.after]) addTo(totals, after);
    if (isSame(before, after)) return;
    this.changed += 1;
    if (this.examples.length < maxShown) {
      this.examples.push({ conversionId, before, after, ruleBefore, ruleAfter });
    }
  }

  answer(): Omit<TermsBackTest, 'truncated'> {
    const difference = ({ before, after }: { before: Totals; after: Totals }): number =>
      Math.abs((after.get(this.currency) ?? 0) - (before.get(this.currency) ?? 0));
    const byPartner = [...this.partners]
      .toSorted(([, a], [, b]) => difference(b) - difference(a))
      .slice(0, maxShown)
      .map(([participantId, { name: partnerName, before, after }]) => {
        return { participantId, partnerName, before: listOf(before), after: listOf(after) };
      });
    const { conversions, changed, examples } = this;
    const sums = { before: listOf(this.before), after: listOf(this.after) };
    return { conversions, changed, ...sums, byPartner, examples };
  }
}

function addTo(totals: Totals, due: Due | null): void {
  if (due) totals.set(due.currency, (totals.get(due.currency) ?? 0) + due.amountCents);
}

function isSame(a: Due | null, b: Due | null): boolean {
  return a?.currency === b?.currency && a?.amountCents === b?.amountCents;
}

function listOf(totals: Totals): Due[] {
  return [...totals]
    .map(([currency, amountCents]) => ({ currency, amountCents }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}
