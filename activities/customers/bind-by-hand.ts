import { RowsLockedError } from '../../entities/database/errors';
import { execute, queryOne, transaction, type Db, type Tx } from '../../entities/database/sql';
import { AppError } from '../../entities/errors';
import type { Scope } from '../../entities/rules/values/mode';
import type { CommandContext } from '../journal/cause';
import { record } from '../journal/record';
import { findByNames, lockNames } from './names';
import { bindCustomer, insertCustomers, lockCustomers } from './write';
import { Customer } from '../../entities/tables/customers/customer.entity';
import { update } from '../../entities/database/update';

export interface BindByHand {
  programId: string;
  participantId: string;
  /** Any id of the customer; one who is not known yet is known by it from now on. */
  name: string;
  reason: string;
}

/**
 * Binds a customer to a partner of the programme, or binds them anew: what is paid from now on is
 * credited there. The months of recurring terms go on. PARTICIPANT_NOT_FOUND,
 * PARTICIPANT_NOT_APPROVED.
 */
export function bindByHand(db: Db, context: CommandContext, command: BindByHand): Promise<void> {
  const { scope, now } = context;
  const { programId, participantId, name, reason } = command;
  return transaction(db, async (tx) => {
    await lockNames(tx, scope, [name]);
    await assertApproved(tx, scope, command);
    const source = 'manual' as const;
    const binding = { programId, participantId, source, boundAt: now, attribution: null };
    const [known] = await findByNames(tx, scope, [name]);
    if (known) {
      await lockCustomers(tx, [known.id], { waits: true });
      await bindCustomer(tx, known.id, binding);
    } else {
      const made = { customerId: name, binding, firstPaidAt: null };
      const isMade = await insertCustomers(tx, { scope, now }, [made]);
      if (!isMade) throw new RowsLockedError('a sale binds the customer at this moment');
    }
    const customer = known ?? (await findByNames(tx, scope, [name]))[0];
    if (!customer) throw new Error('a customer who was bound is gone');
    await update(tx, Customer, { set: { reason }, where: { id: customer.id } });
    const target = { type: 'customer', id: customer.id };
    await record(tx, context, { audit: { action: 'customer.bound', target } });
  });
}

/**
 * Takes the binding of a customer of the programme away: what is paid from now on is credited by its
 * own signals only. CUSTOMER_NOT_FOUND.
 */
export function unbindByHand(
  db: Db,
  context: CommandContext,
  { programId, name }: Pick<BindByHand, 'programId' | 'name'>,
): Promise<void> {
  const { scope, now } = context;
  return transaction(db, async (tx) => {
    const [known] = await findByNames(tx, scope, [name]);
    const unbound =
      known &&
      (await execute(
        tx,
        `UPDATE customers SET participant_id = NULL, program_id = NULL, attribution = NULL,
                reason = NULL, source = 'manual', bound_at = $3
          WHERE id = $1 AND program_id = $2`,
        [known.id, programId, now],
      ));
    if (!known || !unbound) throw new AppError('CUSTOMER_NOT_FOUND');
    const target = { type: 'customer', id: known.id };
    await record(tx, context, { audit: { action: 'customer.unbound', target } });
  });
}

async function assertApproved(
  tx: Tx,
  { workspaceId, mode }: Scope,
  { programId, participantId }: BindByHand,
): Promise<void> {
  const row = await queryOne<{ isApproved: boolean }>(
    tx,
    `SELECT status = 'approved' AND erased_at IS NULL AS "isApproved" FROM participants
      WHERE id = $1 AND program_id = $2 AND workspace_id = $3 AND mode = $4 FOR SHARE`,
    [participantId, programId, workspaceId, mode],
  );
  if (!row) throw new AppError('PARTICIPANT_NOT_FOUND');
  if (!row.isApproved) throw new AppError('PARTICIPANT_NOT_APPROVED');
}
