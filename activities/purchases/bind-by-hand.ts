import { boundedTransaction, queryOne, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import { retryWhileLocked } from '../../runtime/load/retry';
import { askAgain } from '../credit/ask';
import { customerOfNames, findByNames } from '../credit/customer-of-names';
import { lockNames } from '../customers/names';
import { insertBindings, lockCustomers, type NewBinding } from '../customers/write';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { holdProgram, requireOpen } from '../programs/programs';
import { billerOf } from '../billing/payments/biller';
import type { ProspectVault } from '../billing/payments/prospect';
import { tellLost } from './customer-lost';

export interface BindByHand {
  programId: string;
  participantId: string;
  /** Any id of the customer; one who is not known yet is known by it from now on. */
  name: string;
  reason: string;
  /** A key of one programme takes no customer of another one's. */
  isOfOneProgram?: boolean;
}

export type HandContext = CommandContext & { vault?: ProspectVault };

/**
 * Binds a customer to a partner of the programme, or binds them anew: what is paid from now on is
 * credited there; of one whom nobody ever had what they paid before, too. The months of recurring terms
 * go on. PARTICIPANT_NOT_FOUND, PROGRAM_ARCHIVED, PARTICIPANT_NOT_APPROVED, FORBIDDEN.
 */
export function bindByHand(db: Db, context: HandContext, command: BindByHand): Promise<void> {
  const bind = async (tx: Tx): Promise<void> => {
    const { programId, participantId, name, reason } = command;
    const { scope, now } = context;
    await lockNames(tx, scope, [name]);
    const program = await holdProgram(tx, programId, scope);
    const isApproved = await isApprovedThere(tx, scope, command);
    requireOpen(program);
    if (!isApproved) throw new AppError('PARTICIPANT_NOT_APPROVED');
    const names = { own: [name], billers: [], current: null };
    const customer = await customerOfNames(tx, { scope, now }, names);
    if (customer === null) throw new AppError('CUSTOMER_NOT_FOUND');
    const before = await lockBound(tx, customer);
    assertOwn(before, command);
    const binding = { participantId, programId, reason };
    await decide(tx, context, { customer, before, binding, action: 'customer.bound' });
  };
  return retryWhileLocked(db, () => boundedTransaction(db, bind));
}

/**
 * Takes the binding of a customer of the programme away: what is paid from now on is credited by its
 * own signals only, and payments of a subscription begun before credit nobody. CUSTOMER_NOT_FOUND,
 * PROGRAM_ARCHIVED.
 */
export function unbindByHand(
  db: Db,
  context: HandContext,
  { programId, name }: Pick<BindByHand, 'programId' | 'name'>,
): Promise<void> {
  const unbind = async (tx: Tx): Promise<void> => {
    await lockNames(tx, context.scope, [name]);
    const program = await holdProgram(tx, programId, context.scope);
    const [known] = await findByNames(tx, context, [name]);
    const before = known && (await lockBound(tx, known.id));
    if (!known || before?.programId !== programId) throw new AppError('CUSTOMER_NOT_FOUND');
    requireOpen(program);
    const binding = { participantId: null, programId: null, reason: null };
    await decide(tx, context, {
      customer: known.id,
      before,
      binding,
      action: 'customer.unbound',
    });
  };
  return retryWhileLocked(db, () => boundedTransaction(db, unbind));
}

interface Bound {
  participantId: string | null;
  programId: string | null;
}

async function lockBound(tx: Tx, customer: string): Promise<Bound | undefined> {
  await lockCustomers(tx, [customer], { waits: true });
  return queryOne<Bound>(
    tx,
    `SELECT participant_id AS "participantId", program_id AS "programId"
       FROM customers WHERE id = $1`,
    [customer],
  );
}

/** A key of one programme reaches customers of that programme, and those of nobody. */
function assertOwn(before: Bound | undefined, { programId, isOfOneProgram }: BindByHand): void {
  const bound = before?.programId ?? null;
  if (isOfOneProgram && bound !== null && bound !== programId) throw new AppError('FORBIDDEN');
}

interface Decision {
  customer: string;
  before: Bound | undefined;
  binding: Pick<NewBinding, 'participantId' | 'programId' | 'reason'>;
  action: 'customer.bound' | 'customer.unbound';
}

/** A fact of the customer's history; who is credited with their payments is asked anew. */
async function decide(
  tx: Tx,
  context: HandContext,
  { customer, before, binding, action }: Decision,
): Promise<void> {
  const { scope, now, vault } = context;
  const fact = { source: 'manual' as const, boundAt: now, speaksFrom: now, paymentId: null };
  const added = { ...binding, ...fact, attribution: null };
  await insertBindings(tx, [{ customer, scope, now, binding: added }]);
  await askAgain(
    tx,
    { ...context, biller: billerOf(vault ?? null, null), fact: 'hand' },
    { customers: [customer] },
  );
  const change = { from: before?.participantId ?? null, to: binding.participantId };
  const target = { type: 'customer', id: customer };
  await record(tx, context, { audit: { action, target, details: change } });
  if (change.from !== null && change.from !== change.to) await tellLost(tx, context, change.from);
}

/** PARTICIPANT_NOT_FOUND. */
async function isApprovedThere(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { programId, participantId }: BindByHand,
): Promise<boolean> {
  const row = await queryOne<{ isApproved: boolean }>(
    tx,
    `SELECT status = 'approved' AND erased_at IS NULL AS "isApproved" FROM participants
      WHERE id = $1 AND program_id = $2 AND workspace_id = $3 AND mode = $4 FOR SHARE`,
    [participantId, programId, workspaceId, mode],
  );
  if (!row) throw new AppError('PARTICIPANT_NOT_FOUND');
  return row.isApproved;
}
