import { query, type Tx } from '../../entities/database/sql';
import {
  creditedAs,
  isCreditedAs,
  type Credit,
  type Payment,
} from '../../entities/rules/payments/credit';
import {
  creditTimeline,
  inOrder,
  type CreditedTimeline,
  type Timeline,
} from '../../entities/rules/payments/timeline';
import type { Biller } from '../../entities/rules/billing/biller';
import type { SalesFrom } from '../../entities/rules/programs/terms';
import type { PaymentRank } from '../../entities/rules/commissions/rule-match';
import type { BindingFact } from '../../entities/rules/customers/bindings';
import type { Answer, AskedTimeline } from './answer';
import type { CreditContext } from './biller';
import { createConversion, soldInShort } from './create';
import { isFixed, isUntoldTrial, isYielding, paymentOf, toldFirstAt, trialsOf } from './payment-of';
import { enqueueAsking } from './queue';
import { recredit, uncredit } from './recredit';
import { saveCustomers } from './save-customers';
import { lockTimeline, type Beginning, type FoundTimeline, type TimelineRow } from './timeline';
import { asVerdict, judgeSignals } from './verdicts';

/** What one transaction writes; of a customer with more payments the rest follows within the minute. */
const writtenAtOnce = 100;

/**
 * Asks anew who is credited with every payment that hangs together with these, and brings conversions,
 * commissions and customers to the answer (docs/reference/payments.md, Credit follows the facts). Call it
 * after a fact was written, in its transaction: repeating changes nothing. Gives what became of each
 * payment that a processor told, by its id.
 */
export async function askAgain(
  tx: Tx,
  context: CreditContext,
  beginning: Beginning,
): Promise<Map<string, Answer>> {
  const found = await lockTimeline(tx, context.scope, beginning);
  await tellTrials(tx, context, found);
  if (beginning.judged !== undefined) forgetNowhere(found, beginning.judged);
  const asked = await decide(tx, context, { found });
  const written = await writeAll(tx, context, { ...asked, atOnce: writtenAtOnce });
  await saveCustomers(tx, context, { found, ...asked });
  await lookLater(tx, context, { found, ...asked });
  if (written >= writtenAtOnce) await enqueueAsking(tx, context, found);
  return asked.answers;
}

/** What another payment, or a sign-up, has wait for its checkout is asked again once that must be known. */
async function lookLater(
  tx: Tx,
  context: CreditContext,
  { found: { canAsk }, rows, payments, credited }: AskedTimeline & { found: FoundTimeline },
): Promise<void> {
  for (const { id, mayHaveCheckout } of payments) {
    const paymentId = rows.get(id)?.paymentId ?? null;
    const isWaiting = mayHaveCheckout && credited.credits.get(id)?.kind === 'waits';
    if (isWaiting && paymentId !== null)
      await context.biller.lookLater(tx, context, { paymentId, canAsk });
  }
}

/**
 * Asks as askAgain does, also about sales that an earlier release decided, and about all of them at
 * once: its answer stays where the facts of now say the same.
 */
export async function askOld(
  tx: Tx,
  context: CreditContext,
  beginning: Beginning,
): Promise<FoundTimeline> {
  const found = await lockTimeline(tx, context.scope, beginning);
  const untold = found.rows.filter(({ paymentId, sale }) => paymentId !== null && sale === null);
  await tell(tx, context, untold);
  for (const row of found.rows) row.isOld = row.conversion?.creditedAs === null;
  const asked = await decide(tx, context, { found });
  await writeAll(tx, context, { ...asked, atOnce: Number.POSITIVE_INFINITY });
  await saveCustomers(tx, context, { found, ...asked });
  return found;
}

/** An earlier release kept of a checkout that began with a trial its objects alone. */
async function tellTrials(tx: Tx, context: CreditContext, { rows }: FoundTimeline): Promise<void> {
  await tell(tx, context, rows.filter(isUntoldTrial));
}

async function tell(
  tx: Tx,
  { scope, biller }: CreditContext,
  untold: readonly TimelineRow[],
): Promise<void> {
  if (untold.length === 0) return;
  const sales = await biller.tellSales(
    tx,
    scope,
    untold.map(({ key }) => key),
  );
  for (const row of untold) row.sale = sales.get(row.key) ?? null;
}

/** Drops a verdict without a conversion, so that its click or code, unknown then, is looked up again. */
function forgetNowhere({ rows }: FoundTimeline, paymentId: string): void {
  const row = rows.find(({ key }) => key === paymentId);
  if (row && row.conversion === null) row.verdict = null;
}

interface Deciding {
  found: FoundTimeline;
  /** Payments that are to be recorded. */
  further?: readonly Payment[];
}

/** Reads what signals lead to, then asks the rule; nothing is written but how signals were judged. */
export async function decide(
  tx: Tx,
  context: CreditContext,
  { found, further = [] }: Deciding,
): Promise<AskedTimeline> {
  const { rows, canAsk } = found;
  const stored = await judgeSignals(tx, context, rows);
  const verdicts = new Map([...stored].map(([key, verdict]) => [key, asVerdict(verdict)]));
  const isElsewhere = ({ key, conversion }: TimelineRow): boolean =>
    conversion === null && stored.get(key)?.reason === 'elsewhere';
  const given = { trials: trialsOf(rows), verdicts, canAsk, now: context.now };
  const payments = rows
    .filter((row) => !isElsewhere(row))
    .flatMap((row) => paymentOf(row, given) ?? [])
    .concat(further)
    .toSorted(inOrder);
  const byKey = new Map(rows.map((row) => [row.key, row]));
  const bindingFacts = factsOf(found);
  const { credited, ours } = await creditOurs(tx, { payments, bindingFacts, rows: byKey });
  const isOurs = new Set(ours.map(({ id }) => id));
  const isTaken = new Set(payments.filter(({ id }) => !isOurs.has(id)).map(({ id }) => id));
  const answers = new Map<string, Answer>(
    rows.map((row) => [row.key, isElsewhere(row) || isTaken.has(row.key) ? 'elsewhere' : 'nobody']),
  );
  for (const [key, { kind }] of credited.credits) answers.set(key, kind);
  return { rows: byKey, payments: ours, credited, answers };
}

/**
 * The credit of all payments but those that a biller told for a programme whose sales come from elsewhere: they are
 * not sales there, so no report may count as a renewal after one. Each that is left out can change the
 * credit of the rest, which is therefore decided again until none is left out.
 */
async function creditOurs(
  tx: Tx,
  { payments, bindingFacts, rows }: Timeline & { rows: ReadonlyMap<string, TimelineRow> },
): Promise<{ credited: CreditedTimeline; ours: readonly Payment[] }> {
  const credited = creditTimeline({ payments, bindingFacts });
  const renewed = payments.flatMap((payment) => {
    const row = rows.get(payment.id);
    const credit = credited.credits.get(payment.id);
    const isNew = row && credit?.kind === 'renewed' && isToBeMade(row, payment);
    const biller = row?.biller ?? null;
    return isNew && biller ? [{ id: payment.id, biller, programId: credit.programId }] : [];
  });
  const taken = await soldElsewhere(tx, renewed);
  if (taken.size === 0) return { credited, ours: payments };
  const ours = payments.filter(({ id }) => !taken.has(id));
  return creditOurs(tx, { payments: ours, bindingFacts, rows });
}

/**
 * The payments whose programme takes no sales of their biller's (docs/reference/programmes.md,
 * Where sales come from).
 */
async function soldElsewhere(
  tx: Tx,
  payments: readonly { id: string; biller: Biller; programId: string }[],
): Promise<Set<string>> {
  if (payments.length === 0) return new Set();
  const rows = await query<{ id: string; salesFrom: SalesFrom }>(
    tx,
    'SELECT id, sales_from AS "salesFrom" FROM programs WHERE id = ANY ($1::uuid[])',
    [[...new Set(payments.map(({ programId }) => programId))]],
  );
  const sources = new Map(rows.map(({ id, salesFrom }) => [id, salesFrom]));
  const isTaken = ({ biller, programId }: { biller: Biller; programId: string }): boolean =>
    !['both', biller].includes(sources.get(programId) ?? 'both');
  return new Set(payments.filter(isTaken).map(({ id }) => id));
}

/** Sign-ups, imports and what members decided: sales follow from the payments. */
function factsOf({ bindings }: FoundTimeline): Map<string, BindingFact[]> {
  const facts = new Map<string, BindingFact[]>();
  for (const binding of bindings) {
    if (binding.paymentId !== null) continue;
    facts.set(binding.customer, [...(facts.get(binding.customer) ?? []), binding]);
  }
  return facts;
}

/** Brings each payment to its credit, in the order of time; gives how many were not there yet. */
async function writeAll(
  tx: Tx,
  context: CreditContext,
  { rows, payments, credited, answers, atOnce }: AskedTimeline & { atOnce: number },
): Promise<number> {
  let written = 0;
  for (const payment of payments) {
    const row = rows.get(payment.id);
    const credit = credited.credits.get(payment.id);
    if (!row || !credit || isFixed(row) || credit.kind === 'waits') continue;
    const rank = credited.ranks.get(payment.id) ?? null;
    const change = changeOf(context, { row, payment, credit, rank });
    if (change === null) continue;
    written += 1;
    if (written > atOnce) break;
    const answer = await write(tx, context, { row, payment, credit, rank, change });
    if (answer) answers.set(payment.id, answer);
  }
  return written;
}

type Change = 'create' | 'recredit' | 'uncredit';

function changeOf(
  { now }: CreditContext,
  { row, payment, credit, rank }: Omit<Writing, 'change'>,
): Change | null {
  const { conversion } = row;
  if (credit.kind === 'nobody') {
    return conversion?.attributed && conversion.creditedAs !== 'nobody' ? 'uncredit' : null;
  }
  if (isToBeMade(row, payment)) return isWorthMaking(row, payment, credit) ? 'create' : null;
  const judged = { rank, sold: soldInShort(row), arrivedAt: toldFirstAt(row, now) };
  const inShort = creditedAs(payment, credit, judged);
  return isCreditedAs(conversion?.creditedAs ?? null, inShort) ? null : 'recredit';
}

/** Nothing is recorded of what a processor tells, or a report that yields to it. */
function isToBeMade({ conversion, sale }: TimelineRow, { toldBy }: Payment): boolean {
  if (toldBy === 'report') return false;
  return !conversion || (isYielding(conversion) && sale !== null);
}

/** What credit covered whole is no sale; signals that fail say no more than a report that failed. */
function isWorthMaking({ conversion }: TimelineRow, payment: Payment, credit: Credit): boolean {
  if (payment.amountCents === 0) return false;
  return !conversion || credit.kind !== 'own' || payment.own?.reason === 'ATTRIBUTED';
}

interface Writing {
  row: TimelineRow;
  payment: Payment;
  credit: Exclude<Credit, { kind: 'waits' }>;
  rank: PaymentRank | null;
  change: Change;
}

async function write(
  tx: Tx,
  context: CreditContext,
  { row, payment, credit, rank, change }: Writing,
): Promise<Answer | null> {
  if (change === 'uncredit' || credit.kind === 'nobody') {
    await uncredit(tx, context, { row, payment });
    return null;
  }
  const decided = { row, payment, credit, rank };
  const answer = change === 'create' ? await createConversion(tx, context, decided) : null;
  if (answer !== null) return answer;
  // A report that took the only id of the payment becomes the sale itself.
  if (row.conversion) await recredit(tx, context, decided);
  return null;
}
