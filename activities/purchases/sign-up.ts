import { RowsLockedError } from '../../entities/database/errors';
import { boundedTransaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { AttributionObject } from '../../entities/rules/attribution/conversion';
import { newId } from '../../entities/ids';
import { retryWhileLocked } from '../../runtime/load/retry';
import { attributionObject, type ConversionRecord } from '../conversions/conversion';
import { planSignUp } from '../conversions/decide';
import { readFacts } from '../conversions/record';
import { assertNotAhead, type ConversionReport, type ReportContext } from '../conversions/report';
import { findCustomer, type CustomerRecord } from '../customers/find';
import { customerOfNames, lockNames, type NamedCustomer } from '../customers/names';
import { bindCustomer, insertAliases, insertCustomers, lockCustomers } from '../customers/write';
import { enqueueOfCustomer } from '../stripe/payments/renewals';

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

/**
 * Binds a customer to the partner whom the signals name, once: who is bound stays so, whatever
 * comes later. CUSTOMER_ALIAS_TAKEN, NO_ATTRIBUTION_SIGNAL, MODE_MISMATCH.
 */
export async function signUpCustomer(
  db: Db,
  context: ReportContext,
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
  { customerId, aliases }: SignUp,
): Promise<CustomerRecord | undefined> {
  const known = await findCustomer(db, scope, { name: customerId });
  if (known?.customerId !== customerId) return undefined;
  const names = [customerId, ...known.aliases];
  return aliases.every((alias) => names.includes(alias)) ? known : undefined;
}

async function signUp(tx: Tx, context: ReportContext, command: SignUp): Promise<SignUpOutcome> {
  const { scope } = context;
  const { customerId, clickId, promoCode } = command;
  const aliases = command.aliases.filter((alias) => alias !== customerId);
  await lockNames(tx, scope, [customerId, ...aliases]);
  const known = await customerOfNames(tx, scope, { customerId, aliases });
  if (known?.participantId) {
    const added = await addAliases(tx, context, { id: known.id, aliases });
    if (added > 0) await enqueueOfCustomer(tx, context, known.id);
    return { kind: 'known', customer: await read(tx, context, customerId) };
  }
  if (clickId === null && promoCode === null) throw new AppError('NO_ATTRIBUTION_SIGNAL');
  const judged = await judge(tx, context, command);
  if (!judged.attributed && aliases.length === 0) return unattributed(judged, aliases);

  const id = await keep(tx, context, { known, customerId, judged });
  await addAliases(tx, context, { id, aliases });
  if (!judged.attributed) return unattributed(judged, aliases);
  await enqueueOfCustomer(tx, context, id);
  return { kind: 'bound', customer: await read(tx, context, customerId) };
}

function unattributed(judged: ConversionRecord, aliases: string[]): SignUpOutcome {
  const attribution = attributionObject(judged);
  return { kind: 'unattributed', aliases: [...new Set(aliases)].sort(), attribution };
}

/** As a sale without an amount would be judged. */
async function judge(
  tx: Tx,
  { scope, now }: ReportContext,
  command: SignUp,
): Promise<ConversionRecord> {
  const submission = { scope, report: reportOf(command), id: newId(), now };
  const [facts] = await readFacts(tx, [submission]);
  if (!facts) throw new Error('a sign-up without facts');
  if (facts.isOtherMode) throw new AppError('MODE_MISMATCH');
  return planSignUp({ facts, ...submission });
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

interface Judged {
  known: NamedCustomer | undefined;
  customerId: string;
  judged: ConversionRecord;
}

/** The customer's row: bound when the signals hold, else only so that the aliases are theirs. */
async function keep(
  tx: Tx,
  { scope, now }: ReportContext,
  { known, customerId, judged }: Judged,
): Promise<string> {
  const binding = judged.attributed ? bindingOf(judged) : null;
  if (known) {
    const [row] = await lockCustomers(tx, [known.id], { waits: true });
    if (row?.participantId !== null) throw new RowsLockedError('the customer was bound meanwhile');
    if (binding) await bindCustomer(tx, known.id, binding);
    return known.id;
  }
  const isMade = await insertCustomers(tx, { scope, now }, [
    { customerId, binding, firstPaidAt: null },
  ]);
  const made = isMade && (await customerOfNames(tx, scope, { customerId, aliases: [] }));
  if (!made) throw new RowsLockedError('a sale binds the customer at this moment');
  return made.id;
}

function bindingOf(judged: ConversionRecord) {
  const { participantId, programId, occurredAt: boundAt } = judged;
  if (participantId === null || programId === null) throw new Error('attributed to nobody');
  const attribution = attributionObject(judged);
  return { participantId, programId, source: 'signup' as const, boundAt, attribution };
}

async function addAliases(
  tx: Tx,
  { scope }: ReportContext,
  { id, aliases }: { id: string; aliases: string[] },
): Promise<number> {
  const named = [...new Set(aliases)].sort().map((alias) => ({ customer: id, alias }));
  return insertAliases(tx, scope, named);
}

async function read(tx: Tx, { scope }: ReportContext, customerId: string): Promise<CustomerRecord> {
  const customer = await findCustomer(tx, scope, { name: customerId });
  if (!customer) throw new Error('a customer who was bound is gone');
  return customer;
}
