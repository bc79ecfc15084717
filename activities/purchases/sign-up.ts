import {
  boundedTransaction,
  countFrom,
  queryOne,
  type Db,
  type Tx,
} from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { AttributionObject } from '../../entities/rules/attribution/conversion';
import { systemActor } from '../../entities/rules/values/actor';
import { newId } from '../../entities/ids';
import { retryWhileLocked } from '../../runtime/load/retry';
import { attributionObject, type ConversionRecord } from '../conversions/conversion';
import { planSignUp } from '../conversions/decide';
import type { ConversionFacts } from '../conversions/read-signals';
import { readFacts } from '../conversions/record';
import { assertNotAhead, type ConversionReport, type ReportContext } from '../conversions/report';
import { askAgain } from '../credit/ask';
import { customerOfNames, findByNames, isOfProcessor, maxNames } from '../credit/customer-of-names';
import { findCustomer, type CustomerRecord } from '../customers/find';
import { lockNames } from '../customers/names';
import { releaseAliases } from '../customers/release';
import { insertBindings, lockCustomers, type NewBinding } from '../customers/write';
import { billerOf } from '../billing/payments/biller';
import type { ProspectVault } from '../billing/payments/prospect';

/** What a merchant's server sends when somebody signs up. */
export interface SignUp {
  customerId: string;
  aliases: string[];
  clickId: string | null;
  promoCode: string | null;
  occurredAt: Date | null;
  prospect: ConversionReport['prospect'];
}

export type SignUpOutcome =
  | { kind: 'bound' | 'known'; customer: CustomerRecord }
  /** Nobody is credited; it may be asked again. */
  | { kind: 'unattributed'; aliases: string[]; attribution: AttributionObject };

export type SignUpContext = ReportContext & { vault?: ProspectVault };

/**
 * Binds a customer to the partner whom the signals name: the first sign-up or sale binds, by the times at
 * which they happened. CUSTOMER_ALIAS_TAKEN, CUSTOMER_ALIAS_LIMIT, NO_ATTRIBUTION_SIGNAL, MODE_MISMATCH.
 */
export async function signUpCustomer(
  db: Db,
  context: SignUpContext,
  command: SignUp,
): Promise<SignUpOutcome> {
  assertNotAhead(reportOf(command), context.now);
  const known = await findRepeated(db, context, command);
  if (known) return { kind: 'known', customer: known };
  return retryWhileLocked(db, () => boundedTransaction(db, (tx) => signUp(tx, context, command)));
}

/** One who is bound and known by all these ids: nothing changes, so that many at once wait for none. */
async function findRepeated(
  db: Db,
  { scope }: ReportContext,
  { customerId, aliases, occurredAt }: SignUp,
): Promise<CustomerRecord | undefined> {
  const known = await findCustomer(db, scope, { name: customerId });
  if (known?.customerId !== customerId) return undefined;
  if (await mayComeBefore(db, known, occurredAt)) return undefined;
  return areTheirs(known, aliases) ? known : undefined;
}

function areTheirs({ customerId, aliases }: CustomerRecord, named: readonly string[]): boolean {
  return named.every((alias) => alias === customerId || aliases.includes(alias));
}

/** A sale or a hand bound them, and the sign-up, the first that is told, is of a time before. */
async function mayComeBefore(
  db: Db,
  { id, boundAt }: CustomerRecord,
  occurredAt: Date | null,
): Promise<boolean> {
  if (occurredAt === null || occurredAt >= boundAt) return false;
  const signUps = await countFrom(
    db,
    `customer_bindings WHERE customer = $1 AND source = 'signup'`,
    [id],
  );
  return signUps === 0;
}

async function signUp(tx: Tx, context: SignUpContext, command: SignUp): Promise<SignUpOutcome> {
  const { customerId } = command;
  const aliases = [...new Set(command.aliases.filter((alias) => alias !== customerId))].sort();
  const named = { customerId, aliases };
  await lockNames(tx, context.scope, [customerId, ...aliases]);
  await assertTheirs(tx, context, named);
  const bound = await findCustomer(tx, context.scope, { name: customerId });
  if (bound && !(await isEarlier(tx, command, bound))) return known(tx, context, { named, bound });
  if (!hasSignal(command)) throw new AppError('NO_ATTRIBUTION_SIGNAL');
  return bindBySignals(tx, context, { command, named, isBound: bound !== undefined });
}

async function isEarlier(tx: Tx, command: SignUp, bound: CustomerRecord): Promise<boolean> {
  return hasSignal(command) && mayComeBefore(tx, bound, command.occurredAt);
}

function hasSignal({ clickId, promoCode }: SignUp): boolean {
  return clickId !== null || promoCode !== null;
}

interface Binding {
  command: SignUp;
  named: { customerId: string; aliases: string[] };
  /** A sale has bound them, which may have come later than this. */
  isBound: boolean;
}

async function bindBySignals(
  tx: Tx,
  context: SignUpContext,
  { command, named, isBound }: Binding,
): Promise<SignUpOutcome> {
  const { customerId, aliases } = named;
  const judged = await judge(tx, context, command);
  const { attributed } = judged.record;
  if (!attributed && !isBound && aliases.length === 0) return unattributed(judged.record, aliases);
  const customer = await nameThem(tx, context, named);
  if (attributed) {
    const { scope, now } = context;
    const told = bindingOf(command, judged, now);
    const bindsAnew = !isBound && (await isUnboundSince(tx, customer, told.boundAt));
    const binding = bindsAnew ? atNow(told, now) : told;
    await insertBindings(tx, [{ customer, scope, now, binding }]);
  }
  await ask(tx, context, customer);
  if (!attributed && !isBound) return unattributed(judged.record, aliases);
  const kind = isBound ? 'known' : 'bound';
  return { kind, customer: await read(tx, context, customerId) };
}

/**
 * Whether a member has taken the customer away after this time. If so, and nobody has them now, a sign-up binds
 * from now on. If a later sale has bound them again, the sign-up counts at its own time, for the days before the
 * member took them away.
 */
async function isUnboundSince(tx: Tx, customer: string, at: Date): Promise<boolean> {
  const later = await countFrom(
    tx,
    'customer_bindings WHERE customer = $1 AND participant_id IS NULL AND bound_at > $2',
    [customer, at],
  );
  return later > 0;
}

function atNow(binding: NewBinding, now: Date): NewBinding {
  return { ...binding, boundAt: now, speaksFrom: now };
}

/** The locked customer of these ids, made where nobody is known by any. */
async function nameThem(
  tx: Tx,
  { scope, now }: SignUpContext,
  { customerId, aliases }: Binding['named'],
): Promise<string> {
  const names = { own: [customerId, ...aliases], billers: [], current: null };
  const customer = await customerOfNames(tx, { scope, now }, names);
  if (customer === null) throw new Error('a sign-up names a customer');
  await lockCustomers(tx, [customer], { waits: true });
  return customer;
}

/** Keeps the ids of a customer who is somebody's already: nothing else is news. */
async function known(
  tx: Tx,
  context: SignUpContext,
  { named, bound }: { named: Binding['named']; bound: CustomerRecord },
): Promise<SignUpOutcome> {
  if (areTheirs(bound, named.aliases)) return { kind: 'known', customer: bound };
  await ask(tx, context, await nameThem(tx, context, named));
  return { kind: 'known', customer: await read(tx, context, named.customerId) };
}

async function ask(tx: Tx, context: SignUpContext, customer: string): Promise<void> {
  const { vault, scope, now, requestId } = context;
  const biller = billerOf(vault ?? null, null);
  const asking = { scope, now, requestId, actor: systemActor, biller, fact: 'sign_up' as const };
  await askAgain(tx, asking, { customers: [customer] });
}

/**
 * Checks that the aliases are this customer's or may become theirs: not an id of another customer whom
 * the merchant named, unless that one was never bound and never paid. CUSTOMER_ALIAS_TAKEN, CUSTOMER_ALIAS_LIMIT.
 */
async function assertTheirs(
  tx: Tx,
  context: ReportContext,
  { customerId, aliases }: { customerId: string; aliases: string[] },
): Promise<void> {
  const asked = [customerId, ...aliases];
  let found = await findByNames(tx, context, asked);
  if (await isTaken(tx, customerId, found)) {
    await releaseAliases(tx, context.scope, asked);
    found = await findByNames(tx, context, asked);
    if (await isTaken(tx, customerId, found)) throw new AppError('CUSTOMER_ALIAS_TAKEN');
  }
  const names = new Set([...asked, ...found.flatMap((one) => one.names)]);
  if (names.size > maxNames) throw new AppError('CUSTOMER_ALIAS_LIMIT');
}

async function isTaken(
  tx: Tx,
  customerId: string,
  found: Awaited<ReturnType<typeof findByNames>>,
): Promise<boolean> {
  const own = found.find(({ names }) => names.includes(customerId));
  if (found.some((one) => one !== own && !isOfProcessor(one))) return true;
  return own !== undefined && !(await isNamed(tx, own.id, customerId));
}

/** Whether the id is the customer's own, and no further one of theirs. */
async function isNamed(tx: Tx, id: string, customerId: string): Promise<boolean> {
  const row = await queryOne(tx, 'SELECT 1 FROM customers WHERE id = $1 AND customer_id = $2', [
    id,
    customerId,
  ]);
  return row !== undefined;
}

function unattributed(judged: ConversionRecord, aliases: string[]): SignUpOutcome {
  return { kind: 'unattributed', aliases, attribution: attributionObject(judged) };
}

interface Judged {
  record: ConversionRecord;
  facts: ConversionFacts;
}

/** Judges a sign-up as a sale without an amount would be judged. */
async function judge(tx: Tx, { scope, now }: ReportContext, command: SignUp): Promise<Judged> {
  const submission = { scope, report: reportOf(command), id: newId(), now };
  const [facts] = await readFacts(tx, [submission]);
  if (!facts) throw new Error('a sign-up without facts');
  if (facts.isOtherMode) throw new AppError('MODE_MISMATCH');
  return { record: planSignUp({ facts, ...submission }), facts };
}

function reportOf(command: SignUp): ConversionReport {
  const { clickId, promoCode, occurredAt, prospect, customerId } = command;
  return {
    source: 'api',
    isSignUp: true,
    externalTransactionId: '',
    aliases: [],
    eventType: 'signup',
    amountCents: 0,
    currency: null,
    occurredAt,
    clickId,
    promoCode,
    prospect,
    customerId,
    metadata: null,
    feeCents: null,
    credit: null,
  };
}

/**
 * A sign-up without a time speaks from its click: who pays first, and is told to us a second later, was
 * brought by that click all the same. By a code it speaks from the call.
 */
function bindingOf({ occurredAt }: SignUp, { record, facts }: Judged, now: Date): NewBinding {
  const { participantId, programId, matchedBy } = record;
  if (participantId === null || programId === null) throw new Error('attributed to nobody');
  const clickedAt = matchedBy === 'click' ? facts.click?.click?.clickedAt : undefined;
  return {
    participantId,
    programId,
    source: 'signup',
    boundAt: occurredAt ?? now,
    speaksFrom: occurredAt ?? clickedAt ?? now,
    paymentId: null,
    attribution: attributionObject(record),
    reason: null,
  };
}

async function read(tx: Tx, { scope }: ReportContext, customerId: string): Promise<CustomerRecord> {
  const customer = await findCustomer(tx, scope, { name: customerId });
  if (!customer) throw new Error('a customer who was bound is gone');
  return customer;
}
